import { routes } from '#shared/http/routes.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useModels } from '../../data/use-fleet.ts';
import { formatCount } from '../../ui/format.ts';
import { useAnswer } from '../frame/use-answer.ts';

/** See {@link RestOfModels}. */
export interface RestOfModelsProps {
  readonly hostId: string;
  /** How many more there are. */
  readonly more: number;
}

/** A page of names is enough to read; the rest is counted. */
const MAX_LISTED = 1000;

/** Models of a host that are too many for the copy on this device, asked for when a person opens the list. */
export function RestOfModels({ hostId, more }: RestOfModelsProps) {
  const connection = useConnection();
  const here = useModels(hostId);
  const isLive = connection.kind === 'live';
  const { value, problem } = useAnswer(routes.listModels, isLive, { query: { hostId } });
  if (value === null) {
    const words = !isLive
      ? `${formatCount(more)} more need the collector.`
      : (problem ?? `Asking for ${formatCount(more)} more`);
    return <li>{words}</li>;
  }
  const known = new Set(here.map((model) => model.modelId));
  const names = value.models.map((model) => model.modelId).filter((id) => !known.has(id));
  return (
    <>
      {names.slice(0, MAX_LISTED).map((name) => (
        <li key={name}>{name === '' ? '(empty name)' : name}</li>
      ))}
      {names.length <= MAX_LISTED ? null : <li>and {formatCount(names.length - MAX_LISTED)} more</li>}
    </>
  );
}
