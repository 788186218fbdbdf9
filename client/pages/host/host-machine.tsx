import type { Host } from '#shared/schemas/host.ts';
import { useConnection } from '../../data/use-connection.ts';
import { usePerformance } from '../../data/use-performance.ts';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { Gauge } from '../host-parts/gauge.tsx';
import { performanceView } from '../host-parts/performance-view.ts';
import styles from './host-machine.module.css';
import { gpuFacts, systemFacts } from './machine-words.ts';

interface HostMachineProps {
  readonly host: Host;
  readonly now: number;
  readonly isPast: boolean;
}

/** What the host's cards and its machine do now; each value with its age where that is not now. */
export function HostMachine({ host, now, isPast }: HostMachineProps) {
  const performance = usePerformance(host.id);
  const isAway = useConnection().kind !== 'live';
  const view = performanceView({ host, performance, isPast, isAway, now });
  const system = performance?.system ?? null;
  if (host.features.length === 0 && performance === null) return null;
  return (
    <Panel label="Machine" title="Machine">
      <PanelBody>
        <div className={styles.machine}>
          {view.note === null ? null : <p className={styles.note}>{view.note}</p>}
          {view.gpus.length === 0 ? null : (
            <div className={styles.cards}>
              {view.gpus.map((gpu) => (
                <div key={gpu.key} className={styles.card}>
                  <Gauge view={gpu} />
                  <p className={styles.facts} data-freshness={gpu.freshness}>
                    {gpu.sample === null ? gpu.stamp : gpuFacts(gpu.sample).join(' · ')}
                  </p>
                </div>
              ))}
            </div>
          )}
          {system === null ? null : (
            <p className={styles.facts} data-freshness={view.systemFreshness}>
              {[...systemFacts(system), ...(view.systemStamp === null ? [] : [view.systemStamp])].join(' · ')}
            </p>
          )}
        </div>
      </PanelBody>
    </Panel>
  );
}
