import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';

interface PhoneFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The text filter of a page on a phone: one button in the head, the field in a sheet. */
export function PhoneFilter({ label, value, onChange }: PhoneFilterProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={`Filter: ${label}`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="filter" />
      </IconButton>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Filter"
        actions={
          <Button look="ink" onClick={() => setOpen(false)}>
            Show
          </Button>
        }
      >
        <SearchField label={label} value={value} onChange={onChange} />
      </Dialog>
    </>
  );
}
