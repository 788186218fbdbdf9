import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Section } from './section.tsx';

/** Every host with its address and where its key comes from. */
export function HostsSection() {
  const { hosts } = useFleet();
  const connection = useConnection();
  return (
    <Section
      title="Hosts"
      note={connection.kind === 'live' ? undefined : 'read only: changes need the collector'}
      action={
        <LinkButton to="/hosts/add">
          <Icon name="plus" size="s" />
          Add host
        </LinkButton>
      }
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
                      {host.managedByFile ? 'Show' : 'Edit'}
                    </LinkButton>
                  )
                }
              />
            </li>
          ))}
        </RowList>
      </Panel>
    </Section>
  );
}
