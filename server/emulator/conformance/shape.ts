/**
 * Structure of a JSON value without its values: `string`, `number`, `[a | b]`, `{key:…}` with keys in wire order.
 * Maps whose keys are data (headers, metadata) keep their keys: those are part of what is compared.
 */
export type Shape = string;

/** Shape of one value. */
export function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const inner = [...new Set(value.map((item) => shapeOf(item)))].sort();
    return `[${inner.join(' | ')}]`;
  }
  if (typeof value === 'object') {
    const keys = Object.entries(value).map(([key, item]) => `${key}:${shapeOf(item)}`);
    return `{${keys.join(',')}}`;
  }
  return typeof value;
}

/** Shape of a body as sent: JSON (with or without its final newline), an event stream, or text. */
export function bodyShape(body: string, contentType: string): Shape {
  if (body === '') return 'empty';
  if (contentType.startsWith('text/event-stream')) return streamShape(body);
  if (contentType.startsWith('application/json')) {
    const newline = body.endsWith('\n') ? '⏎' : '';
    try {
      return `${shapeOf(JSON.parse(body))}${newline}`;
    } catch {
      return `broken json`;
    }
  }
  return `text${body.endsWith('\n') ? '⏎' : ''}`;
}

/** The kinds of chunks of a completion stream, in order, runs of one kind told once. */
function streamShape(body: string): Shape {
  const kinds: string[] = [];
  for (const event of body.split('\n\n')) {
    if (event === '') continue;
    const kind = event.startsWith('data: {') ? shapeOf(tryParse(event.slice(6))) : event;
    if (kinds.at(-1) !== kind) kinds.push(kind);
  }
  return kinds.join(' → ');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return 'cut';
  }
}
