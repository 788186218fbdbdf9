import { routes } from '#shared/http/routes.ts';
import { PROTOCOL_VERSION } from '#shared/protocol-version.ts';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import { UNKNOWN } from '../../ui/format.ts';
import { useAnswer } from '../frame/use-answer.ts';
import { Section } from './section.tsx';

/** Versions on both ends, and what this is. */
export function AboutSection() {
  const { value: info } = useAnswer(routes.info);
  return (
    <Section title="About">
      <Panel label="About">
        <RowList>
          <li>
            <ListRow
              title="Drover"
              detail="A local-first cockpit for fleets of LLM inference hosts that run llama-swap."
            />
          </li>
          <li>
            <ListRow title="Collector" value={info?.version ?? UNKNOWN} />
          </li>
          <li>
            <ListRow
              title="Protocol, app and collector"
              value={`${PROTOCOL_VERSION} and ${info?.protocol ?? UNKNOWN}`}
            />
          </li>
          <li>
            <ListRow title="Address" value={window.location.origin} />
          </li>
          <li>
            <ListRow title="Licence" value="MIT" />
          </li>
        </RowList>
      </Panel>
    </Section>
  );
}
