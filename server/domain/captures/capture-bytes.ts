/** A body of a capture decoded from base64. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** How many bytes came out before the base64 stopped making sense; null: it is sound. */
  readonly brokenAt: number | null;
}

/** Decodes base64 up to the first character that is none; what follows it could be anything. */
export function decodeBase64(text: string): DecodedBody {
  const digits = text.trimEnd().replace(/={1,2}$/, '');
  const stray = digits.search(/[^A-Za-z0-9+/]/);
  const sound = stray === -1 ? digits : digits.slice(0, stray - (stray % 4));
  const bytes = Buffer.from(sound, 'base64');
  return { bytes, brokenAt: stray === -1 && digits.length % 4 !== 1 ? null : bytes.length };
}

/** A body as text, or as what else it is. */
export type ReadBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly mediaType: string | null };

const BINARY =
  /^(?:image|audio|video|font|multipart)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-protobuf)/;
const TEXT = /^text\/|[/+](?:json|xml|x-ndjson|ndjson|yaml|javascript|x-www-form-urlencoded)$/;
const MAX_TYPE_CHARS = 120;

/** Says whether a body is text: by its type, and by its bytes where that says nothing. */
export function readBody(
  body: DecodedBody,
  header: { readonly contentType: string | null; readonly contentEncoding: string | null },
): ReadBody {
  const type = header.contentType?.split(';')[0]?.trim().toLowerCase().slice(0, MAX_TYPE_CHARS) ?? null;
  const encoding = header.contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    return { kind: 'binary', mediaType: `${type ?? 'unknown type'}, ${encoding.slice(0, 20)}` };
  }
  if (type !== null && BINARY.test(type)) return { kind: 'binary', mediaType: type };
  if (body.bytes.subarray(0, 65_536).includes(0)) return { kind: 'binary', mediaType: type };
  const saysText = (type !== null && TEXT.test(type)) || body.brokenAt !== null;
  try {
    // A text that claims to be one is shown with its odd bytes replaced; without a claim they make it none.
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: !saysText }).decode(body.bytes) };
  } catch {
    return { kind: 'binary', mediaType: type };
  }
}
