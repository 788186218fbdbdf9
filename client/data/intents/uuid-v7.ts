let lastMs = 0;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562): ids of one page rise with time, so a list by id is a list by age. By
 * `getRandomValues`, because `randomUUID` does not exist over plain http.
 */
export function uuidV7(nowMs: number): string {
  // A clock that stands or goes back must not break the order: the 12 bits after the time count on.
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (counter < 0xfff) {
    counter += 1;
  } else {
    lastMs += 1;
    counter = 0;
  }
  const random = crypto.getRandomValues(new Uint8Array(8));
  const variant = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = hex(variant, 2) + [...random.subarray(1)].map((byte) => hex(byte, 2)).join('');
  const time = hex(lastMs, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
