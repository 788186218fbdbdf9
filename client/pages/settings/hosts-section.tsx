import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useSession } from '../../data/use-session.ts';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AddHostButton } from '../host-parts/add-host-button.tsx';
import { changeBlock } from '../host-parts/change-block.ts';
import { DemoPanel } from '../host-parts/demo-panel.tsx';
import { Section } from './section.tsx';

/** Every host with its address and where its key comes from. */
export function HostsSection() {
  const { hosts } = useFleet();
  const connection = useConnection();
  const { role } = useSession();
  const block = changeBlock(connection.kind === 'live', role);
  return (
    <Section
      title="Hosts"
      note={block === null ? undefined : `read only. ${block}`}
      action={<AddHostButton look="plain" />}
    >
      <Panel label="Hosts">
        {hosts.length === 0 ? <ListRow title="No hosts yet." /> : null}
        <RowList>
          {hosts.map((host) => (
            <li key={host.id}>
              <ListRow
                title={
                  <>
                    {host.label} {host.demo ? <DemoMark /> : null}
                  </>
                }
                detail={`${host.url} · ${host.keySource === null ? 'no key' : `key ${host.keySource}`}${host.managedByFile ? ' · Set in drover.yaml' : ''}`}
                value={
                  host.demo ? undefined : (
                    <LinkButton to="/hosts/$hostId/edit" params={{ hostId: host.id }}>
                      {host.managedByFile || role !== 'admin' ? 'Show' : 'Edit'}
                    </LinkButton>
                  )
                }
              />
            </li>
          ))}
        </RowList>
      </Panel>
      <DemoPanel title="Demo fleet" unavailable={block} />
    </Section>
  );
}
