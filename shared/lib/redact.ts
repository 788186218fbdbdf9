/** What stands where a secret was; llama-swap writes the same word into its captures. */
export const REDACTED = '[REDACTED]';

// Names whose value is a secret: the name ends in one of these words ("api-key", "HF_TOKEN"), so that "max-tokens" and
// "tokenizer" are left alone. A quantifier before it is bounded: a hostile line costs linear time.
const SECRET_NAME = String.raw`(?:[\w.-]{0,64}?[_.-])?(?:(?:api|access|secret|private|auth)?key|token|secret|password|passwd|pwd|credentials?|signature|sig)`;
const SECRET_HEADER = String.raw`(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api-key|x-auth-token`;
// A value is taken whole when it is quoted, and what is redacted already is replaced by itself.
const QUOTED = String.raw`\[REDACTED\]|"(?:[^"\\\r\n]|\\.)*"?|'[^'\r\n]*'?`;

type Rule = readonly [pattern: RegExp, replacement: string];

const RULES: readonly Rule[] = [
  // https://user:password@box
  [/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]{1,512}@/gi, `$1${REDACTED}@`],
  // "authorization": "Bearer x" in JSON or a map; also "api_key":"x" and 'token': 'x', with escaped quotes in JSON text
  [
    new RegExp(
      String.raw`((\\?["'])(?:${SECRET_HEADER}|${SECRET_NAME})\2\s{0,8}:\s{0,8}(\\?["']))(?:(?!\3)[^\r\n])*`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // Authorization: Bearer x … to the end of the line or the closing quote
  [
    new RegExp(String.raw`\b(${SECRET_HEADER})(\s{0,8}:\s{0,8})[^\s"'\\][^\r\n"'\\]*`, 'gi'),
    `$1$2${REDACTED}`,
  ],
  // curl -u user:password, --user user:password
  [/(\s(?:-u|--user)[ =])(?:\[REDACTED\]|"[^"\r\n]*"?|'[^'\r\n]*'?|[^\s"']+)/g, `$1${REDACTED}`],
  // --api-key x, --api-key=x, --hf-token 'x', -password "x"
  [
    new RegExp(
      String.raw`((?:^|[\s"'(\[,])--?(?:${SECRET_NAME})(?:["']?,\s{0,8}|\s{1,8}|=))(?!-)(?:${QUOTED}|[^\s"',;)\]]+)`,
      'gim',
    ),
    `$1${REDACTED}`,
  ],
  // HF_TOKEN=x, ?key=x&…, password=x; no space around "=", so that "BOS token = 1" stays readable
  [
    new RegExp(String.raw`((?:^|[^\w.-])(?:${SECRET_NAME})=)(?:${QUOTED}|[^\s"'&;,)\]}<>]+)`, 'gim'),
    `$1${REDACTED}`,
  ],
  // api_key: x in YAML
  [
    /\b((?:api[_-]?key|apikey|secret[_-]?key|access[_-]?token|password|passwd)\s{0,8}:\s{0,8})(?:\[REDACTED\]|["']?[^\s"',}]+)/gi,
    `$1${REDACTED}`,
  ],
  [/\b(Bearer|Basic)(\s{1,8})(?!\[REDACTED)[\w+/=.~:-]{4,}/gi, `$1$2${REDACTED}`],
  // Tokens known by their shape, wherever they stand.
  [
    /\b(?:sk-[\w-]{8,}|hf_[A-Za-z0-9]{8,}|drv_[\w-]{8,}|gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|nvapi-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
    REDACTED,
  ],
];

const SECRET_NAME_WHOLE = new RegExp(`^(?:${SECRET_HEADER}|${SECRET_NAME})$`, 'i');

/** Whether a header, a JSON field or a variable of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return name.length <= 128 && SECRET_NAME_WHOLE.test(name);
}

/**
 * Text without the secrets it may hold: authorization headers, keys in command lines, environments, URLs, JSON and
 * YAML, tokens of known shape, and each of `known` (keys of ours that a host might echo). It cannot see a secret that
 * is cut in two, so give it whole lines. Doing it twice changes nothing more.
 */
export function redactText(text: string, known: readonly string[] = []): string {
  let redacted = text;
  for (const secret of known) if (secret.length >= 4) redacted = redacted.replaceAll(secret, REDACTED);
  for (const [pattern, replacement] of RULES) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
