import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useInstall } from '../../data/use-install.ts';
import { isSecure } from '../../data/environment.ts';
import { signOut } from '../../data/sign-in.ts';
import { useOutbox } from '../../data/use-intents.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setPreferences } from '../../ui/preferences.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { usePreferences } from '../../ui/use-preferences.ts';
import { Section, Setting } from './section.tsx';

/** Who this device is, how it looks, the installed app, and the way out. */
export function DeviceSection() {
  const session = useSession();
  const { theme, density, insecureHidden } = usePreferences();
  return (
    <Section title="Appearance">
      <Panel title={session.device?.label ?? 'This device'} note={session.role ?? undefined}>
        <Setting title="Theme" detail="System follows this device.">
          <Segmented
            label="Theme"
            value={theme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={(next) => setPreferences({ theme: next })}
          />
        </Setting>
        <Setting title="Density" detail="Compact rows need a mouse; under a finger rows stay 44 px.">
          <Segmented
            label="Density"
            value={density}
            options={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact' },
            ]}
            onChange={(next) => setPreferences({ density: next })}
          />
        </Setting>
        <InstallSetting />
        {!isSecure && insecureHidden ? (
          <Setting title="Card about plain http" detail="Hidden on this device.">
            <Button onClick={() => setPreferences({ insecureHidden: false })}>Show again</Button>
          </Setting>
        ) : null}
        <SignOutSetting />
      </Panel>
    </Section>
  );
}

function InstallSetting() {
  const install = useInstall();
  switch (install.state) {
    case 'installed':
      return (
        <Setting title="App" detail="Installed: it opens from the home screen, without a network too.">
          <span>installed</span>
        </Setting>
      );
    case 'available':
      return (
        <Setting title="App" detail="Opens from the home screen, without a network too.">
          <Button onClick={() => void install.install()}>Install Drover</Button>
        </Setting>
      );
    case 'manual':
      return (
        <Setting
          title="App"
          detail="Share, then Add to Home Screen. The installed app needs a pairing code of its own."
        >
          <span>by hand</span>
        </Setting>
      );
    default:
      return (
        <Setting
          title="App"
          detail={
            isSecure
              ? 'This browser offers no installation now. Everything works in the tab as well.'
              : 'The browser installs apps from encrypted addresses only.'
          }
        >
          <Button unavailable={isSecure ? 'Not offered by this browser.' : 'Needs https.'}>
            Install Drover
          </Button>
        </Setting>
      );
  }
}

function SignOutSetting() {
  const connection = useConnection();
  const { unsent } = useOutbox();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function leave(): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await signOut();
    setSending(false);
    if (answer.ok) setOpen(false);
    else setProblem(answer.message);
  }

  return (
    <Setting
      title="Sign out"
      detail="Ends the session of this device and wipes its copy. A new code lets it in again."
    >
      <Button
        unavailable={
          connection.kind === 'live'
            ? null
            : 'This needs the collector: a session must not outlive its sign-out.'
        }
        onClick={() => setOpen(true)}
      >
        Sign out
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Sign this device out?"
        actions={
          <>
            <Button look="danger" disabled={isSending} onClick={() => void leave()}>
              {unsent === 0 ? 'Sign out and wipe the copy' : `Sign out and drop ${plural(unsent, 'action')}`}
            </Button>
            {unsent === 0 ? null : (
              <LinkButton to="/outbox" replace>
                Show {unsent === 1 ? 'it' : 'them'} first
              </LinkButton>
            )}
            <Button look="quiet" onClick={() => setOpen(false)}>
              Stay
            </Button>
          </>
        }
      >
        {unsent === 0 ? null : (
          <p>
            <strong>
              {unsent === 1 ? '1 action waits' : `${unsent} actions wait`} on this device and{' '}
              {unsent === 1 ? 'was' : 'were'} never sent.
            </strong>{' '}
            Signing out drops {unsent === 1 ? 'it' : 'them'}: nothing of it is done.
          </p>
        )}
        <p>
          The history kept here is deleted from this device; the collector keeps its own. To come back, this
          device needs a new pairing code.
        </p>
        {problem === null ? null : <p role="alert">{problem}</p>}
      </Dialog>
    </Setting>
  );
}
