import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { changeBlock } from './change-block.ts';

/** The way to the add page; where hosts cannot be changed from this device now, it says why it is shut. */
export function AddHostButton({
  look = 'ink',
  wide = false,
}: {
  readonly look?: 'ink' | 'plain';
  readonly wide?: boolean;
}) {
  const connection = useConnection();
  const { role } = useSession();
  const block = changeBlock(connection.kind === 'live', role);
  const words = (
    <>
      <Icon name="plus" size="s" />
      Add host
    </>
  );
  if (block !== null) {
    return (
      <Button wide={wide} unavailable={block}>
        {words}
      </Button>
    );
  }
  return (
    <LinkButton to="/hosts/add" look={look} wide={wide}>
      {words}
    </LinkButton>
  );
}
