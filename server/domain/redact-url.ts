/** A request's address for the log: the value of `?key=` is cut out, however it is spelt, and so is a pairing code. */
export function redactUrl(url: string): string {
  const [path = '', ...rest] = url.split('?');
  if (rest.length === 0) return path;
  const query = rest
    .join('?')
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0] ?? '';
      return isSecretName(name) ? `${name}=[redacted]` : pair;
    })
    .join('&');
  return `${path}?${query.replace(/drv_[A-Za-z0-9_-]+/g, 'drv_[redacted]')}`;
}

function isSecretName(name: string): boolean {
  let decoded = name;
  try {
    decoded = decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // A malformed escape is compared as it came.
  }
  return ['key', 'code', 'token', 'pair'].includes(decoded.trim().toLowerCase());
}
