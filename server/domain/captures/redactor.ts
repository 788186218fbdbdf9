import { isSecretName, REDACTED, redactText } from '#shared/lib/redact.ts';
import type { JsonMap } from './fit-json.ts';

/** What a redactor takes out besides what every text is cleaned of. */
export interface RedactionRules {
  /** Values known to be secret, such as the host's own key. */
  readonly secrets: readonly string[];
  /** Patterns an operator configured; each match becomes `[REDACTED]`. */
  readonly patterns: readonly RegExp[];
}

const REMEMBERED_CHARS = 64;
const MAX_REMEMBERED = 1000;

/** Takes secrets out of one capture and counts them. */
export class Redactor {
  readonly #rules: RedactionRules;
  /** Frames by the hundred thousand repeat the same keys, ids and names. */
  readonly #knownClean = new Set<string>();
  #count = 0;

  constructor(rules: RedactionRules) {
    this.#rules = rules;
  }

  /** How many values stand as `[REDACTED]` in what went through here. */
  get count(): number {
    return this.#count;
  }

  /** A header's value; one that the host has redacted already counts too. */
  header(name: string, value: string): string {
    return isSecretName(name) ? this.#taken() : this.text(value);
  }

  /** Text whose secrets are known by what stands around them, or by their shape. */
  text(text: string): string {
    const cleaned = this.#clean(text);
    if (cleaned !== text) this.#count += Math.max(1, marksIn(cleaned) - marksIn(text));
    return cleaned;
  }

  /** Whether `text` finds nothing to take out; counts nothing. */
  isClean(text: string): boolean {
    return this.#clean(text) === text;
  }

  /** What stands in JSON: a PIN may be a number, and a map may have secrets for keys. */
  readonly json: JsonMap = {
    text: (value, name, siblings) =>
      value !== '' && isSecretField(name, siblings) ? this.#taken() : this.text(value),
    number: (value, name, siblings) => (isSecretField(name, siblings) ? this.#taken() : value),
    key: (key) => this.text(key),
  };

  #taken(): string {
    this.#count += 1;
    return REDACTED;
  }

  #clean(text: string): string {
    if (this.#knownClean.has(text)) return text;
    let cleaned = redactText(text, this.#rules.secrets);
    for (const pattern of this.#rules.patterns) cleaned = cleaned.replace(pattern, REDACTED);
    if (cleaned === text && text.length <= REMEMBERED_CHARS && this.#knownClean.size < MAX_REMEMBERED)
      this.#knownClean.add(text);
    return cleaned;
  }
}

/** `siblings` is the object the field stands in. */
function isSecretField(name: string | null, siblings: object): boolean {
  // A token of a model's vocabulary, beside its probability, is no secret.
  const isVocabulary = name === 'token' && 'logprob' in siblings;
  return name !== null && !isVocabulary && isSecretName(name);
}

function marksIn(text: string): number {
  return text.split(REDACTED).length - 1;
}
