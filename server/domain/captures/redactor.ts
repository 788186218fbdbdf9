import { isSecretName, REDACTED, redactText } from '#shared/lib/redact.ts';

/** What a redactor takes out besides what every text is cleaned of. */
export interface RedactionRules {
  /** Values known to be secret, such as the host's own key. */
  readonly secrets: readonly string[];
  /** Patterns an operator configured; each match becomes `[REDACTED]`. */
  readonly patterns: readonly RegExp[];
}

/** Takes secrets out of one capture and counts them. */
export class Redactor {
  readonly #rules: RedactionRules;
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
    if (!isSecretName(name)) return this.text(value);
    this.#count += 1;
    return REDACTED;
  }

  /** Text whose secrets are known by what stands around them, or by their shape. */
  text(text: string): string {
    let cleaned = redactText(text, this.#rules.secrets);
    for (const pattern of this.#rules.patterns) cleaned = cleaned.replace(pattern, REDACTED);
    if (cleaned !== text) this.#count += Math.max(1, marksIn(cleaned) - marksIn(text));
    return cleaned;
  }

  /** The value of a field of JSON; `siblings` is the object it stands in. */
  field(value: string, name: string | null, siblings: object): string {
    // A token of a model's vocabulary, beside its probability, is no secret.
    const isVocabulary = name === 'token' && 'logprob' in siblings;
    if (name === null || isVocabulary || value === '' || !isSecretName(name)) return this.text(value);
    this.#count += 1;
    return REDACTED;
  }
}

function marksIn(text: string): number {
  return text.split(REDACTED).length - 1;
}
