/**
 * True where the browser allows offline use: https, or loopback. On plain http to another machine there is no service
 * worker, no Web Locks and no `crypto.subtle`; the app is then live only.
 */
export const isSecure: boolean = globalThis.isSecureContext;
