/** Name of the setting that keeps the address the server last listened at, for links made by the command line. */
export const SERVER_URL_SETTING = 'server.url';
