import { useState, type ReactNode } from 'react';
import { assertNever } from '#shared/lib/assert.ts';
import type { CompletionTurn, TurnPart } from '#shared/schemas/completion.ts';
import { formatCount, plural } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import styles from './conversation-view.module.css';
import { type Conversation, endWords, prettyJson } from './inspector-view.ts';
import { JsonView } from './json-view.tsx';
import { TextPart } from './text-part.tsx';

/** A result of a tool that is longer than this is closed at first. */
const LONG_RESULT = 400;
/** Turns drawn at first, from the end: what was asked last is what the answer is to. */
const LAST_TURNS = 12;

/** What was said, turn by turn; what was thought, called and left out set apart. */
export function ConversationView({ conversation }: { readonly conversation: Conversation }) {
  const { turns, tools, answer } = conversation;
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, turns.length - LAST_TURNS);
  const outputTokens = answer?.usage?.outputTokens ?? null;
  return (
    <div className={styles.conversation}>
      {tools.length === 0 ? null : (
        <Closable who="tools" note={`${plural(tools.length, 'tool')} on offer`} isOpen={false}>
          <p className={styles.prose}>{tools.join(', ')}</p>
        </Closable>
      )}
      {hidden === 0 ? null : (
        <button type="button" className={styles.toggle} onClick={() => setWhole(true)}>
          show {plural(hidden, 'earlier turn')}
        </button>
      )}
      {turns.slice(hidden).map((turn, index) => (
        <Turn
          key={hidden + index}
          turn={turn}
          tokens={turn.isAnswer && turn.parts.length === 1 ? outputTokens : null}
        />
      ))}
      {answer === null ? null : (
        <>
          {answer.error === null ? null : <p className={styles.error}>{answer.error}</p>}
          {answer.notes.map((note) => (
            <p key={note} className={styles.note}>
              {note}
            </p>
          ))}
          {answer.turns.length > 0 || answer.error !== null ? null : (
            <p className={styles.note}>The answer says nothing.</p>
          )}
          <p className={styles.end}>{endWords(answer)}</p>
        </>
      )}
    </div>
  );
}

function Turn({ turn, tokens }: { readonly turn: CompletionTurn; readonly tokens: number | null }) {
  const calls = turn.parts.filter(({ kind }) => kind === 'tool-call').length;
  let call = 0;
  return turn.parts.map((part, index) => {
    if (part.kind === 'tool-call') call += 1;
    return <Part key={index} who={turn.role} part={part} tokens={tokens} call={call} calls={calls} />;
  });
}

interface PartProps {
  readonly who: string;
  readonly part: TurnPart;
  readonly tokens: number | null;
  readonly call: number;
  readonly calls: number;
}

function Part({ who, part, tokens, call, calls }: PartProps) {
  switch (part.kind) {
    case 'text': {
      const note = tokens === null ? `${formatCount(part.text.length)} characters` : plural(tokens, 'token');
      const isSystem = who === 'system' || who === 'developer';
      if (isSystem)
        return (
          <Closable who={who} note={note} isOpen={false}>
            <TextPart text={part.text} />
          </Closable>
        );
      return (
        <section className={styles.turn}>
          <Head who={who} note={who === 'user' ? null : note} />
          <TextPart text={part.text} />
        </section>
      );
    }
    case 'reasoning':
      return (
        <Closable who={who} note={`reasoning, ${formatCount(part.text.length)} characters`} isOpen>
          <div className={styles.reasoning}>
            <TextPart text={part.text} />
          </div>
        </Closable>
      );
    case 'tool-call': {
      const json = prettyJson(part.arguments);
      return (
        <section className={styles.call}>
          <p className={styles.callHead}>
            <Icon name="outbox" size="s" />
            <strong>{part.name === '' ? '(no name)' : part.name}</strong>
            <span className={styles.muted}>
              tool call {call} of {calls}
            </span>
          </p>
          {json === null ? (
            <TextPart text={part.arguments === '' ? 'without arguments' : part.arguments} />
          ) : (
            <JsonView text={json} label={`Arguments of ${part.name}`} />
          )}
        </section>
      );
    }
    case 'tool-result':
      return (
        <Closable
          who={who}
          note={`result, ${formatCount(part.text.length)} characters`}
          isOpen={part.text.length <= LONG_RESULT}
        >
          <TextPart text={part.text} />
        </Closable>
      );
    case 'media':
      return (
        <section className={styles.turn}>
          <Head who={who} note={part.mediaType} />
          <p className={styles.muted}>{part.detail === null ? 'not shown' : part.detail.slice(0, 120)}</p>
        </section>
      );
    default:
      return assertNever(part);
  }
}

function Head({ who, note }: { readonly who: string; readonly note: string | null }) {
  return (
    <p className={styles.head}>
      <strong>{who}</strong>
      {note === null ? null : <span className={styles.muted}>{note}</span>}
    </p>
  );
}

interface ClosableProps {
  readonly who: string;
  readonly note: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

function Closable({ who, note, isOpen, children }: ClosableProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <section className={styles.turn}>
      <div className={styles.headLine}>
        <Head who={who} note={note} />
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-label={`${open ? 'hide' : 'show'} ${who} ${note}`}
          onClick={() => setOpen(!open)}
        >
          {open ? 'hide' : 'show'}
        </button>
      </div>
      {open ? children : null}
    </section>
  );
}
