import { KeyList } from '../frame/help-sheet.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { setPreferences } from '../../ui/preferences.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { usePreferences } from '../../ui/use-preferences.ts';
import { Section, Setting } from './section.tsx';

/** Single keys, and whether they are on. */
export function KeyboardSection() {
  const { shortcuts } = usePreferences();
  return (
    <Section title="Keyboard">
      <Panel label="Keyboard">
        <Setting
          title="Single keys"
          detail="Off for people who steer by speech. Never active while you type."
        >
          <Segmented
            label="Single keys"
            value={shortcuts ? 'on' : 'off'}
            options={[
              { value: 'on', label: 'On' },
              { value: 'off', label: 'Off' },
            ]}
            onChange={(next) => setPreferences({ shortcuts: next === 'on' })}
          />
        </Setting>
      </Panel>
      <Panel title="Keys">
        <PanelBody>
          <KeyList />
        </PanelBody>
      </Panel>
    </Section>
  );
}
