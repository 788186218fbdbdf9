import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { utf8ByteLength } from 'lib0/string';

/** Bytes that do not hold what their format says: truncated, out of range, or of another format. */
export class CorruptBytesError extends Error {
  override readonly name = 'CorruptBytesError';
}

/** Growing byte buffer of variable-length integers and UTF-8 strings. */
export class ByteWriter {
  readonly #encoder = encoding.createEncoder();

  /** A safe integer ≥ 0: 7 bits a byte. */
  uint(value: number): void {
    encoding.writeVarUint(this.#encoder, value);
  }

  /** Any safe integer: sign and 6 bits in the first byte, 7 in each further one. */
  int(value: number): void {
    // Adding 0 turns −0 into 0: the encoding would keep the sign, and no field of ours has a negative zero.
    encoding.writeVarInt(this.#encoder, value + 0);
  }

  /** Text as UTF-8 after its length; lone surrogates become U+FFFD, as everywhere UTF-8 is stored. */
  string(value: string): void {
    encoding.writeVarString(this.#encoder, value.toWellFormed());
  }

  /** Bytes after their length. */
  block(value: Uint8Array): void {
    encoding.writeVarUint8Array(this.#encoder, value);
  }

  /** Bytes as they are. */
  raw(value: Uint8Array): void {
    encoding.writeUint8Array(this.#encoder, value);
  }

  get length(): number {
    return encoding.length(this.#encoder);
  }

  toBytes(): Uint8Array {
    return encoding.toUint8Array(this.#encoder);
  }
}

/** Reads what {@link ByteWriter} wrote from bytes that may be hostile: every read is bounded and throws {@link CorruptBytesError}. */
export class ByteReader {
  readonly #decoder: decoding.Decoder;

  constructor(bytes: Uint8Array) {
    this.#decoder = decoding.createDecoder(bytes);
  }

  get remaining(): number {
    return this.#decoder.arr.length - this.#decoder.pos;
  }

  uint(): number {
    try {
      const value = decoding.readVarUint(this.#decoder);
      if (Number.isSafeInteger(value)) return value;
    } catch {
      // lib0 throws bare errors for a truncated or too long number.
    }
    throw new CorruptBytesError('a number is truncated or out of range');
  }

  /** The next number, which stays unread. */
  peekUint(): number {
    const start = this.#decoder.pos;
    const value = this.uint();
    this.#decoder.pos = start;
    return value;
  }

  int(): number {
    // lib0 reads the first byte before it looks at the length.
    if (this.remaining === 0) throw new CorruptBytesError('a number is missing');
    try {
      const value = decoding.readVarInt(this.#decoder);
      if (Number.isSafeInteger(value)) return value;
    } catch {
      // As above.
    }
    throw new CorruptBytesError('a number is truncated or out of range');
  }

  string(): string {
    const start = this.#decoder.pos;
    if (this.uint() > this.remaining) throw new CorruptBytesError('a string is longer than its bytes');
    this.#decoder.pos = start;
    try {
      return decoding.readVarString(this.#decoder);
    } catch {
      throw new CorruptBytesError('a string is not UTF-8');
    }
  }

  /** A view of the next length-prefixed bytes, not a copy. */
  block(): Uint8Array {
    const length = this.uint();
    if (length > this.remaining) throw new CorruptBytesError('a block is longer than its bytes');
    const { arr, pos } = this.#decoder;
    this.#decoder.pos += length;
    return arr.subarray(pos, pos + length);
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.remaining > 0) throw new CorruptBytesError(`${this.remaining} bytes too many`);
  }
}

/** UTF-8 length of `text`, without encoding it when it is plainly short. */
export function utf8Length(text: string): number {
  return text.length === 0 ? 0 : utf8ByteLength(text.toWellFormed());
}
