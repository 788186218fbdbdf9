import { useEffect, useRef, useState } from 'react';

/**
 * Says a state change to a screen reader, politely: what `message` becomes, not what it was at first. Ages and token
 * counts must not be part of it.
 */
export function Announce({ message }: { readonly message: string }) {
  const [said, setSaid] = useState('');
  const previous = useRef(message);
  useEffect(() => {
    if (previous.current === message) return;
    previous.current = message;
    setSaid(message);
  }, [message]);
  return <output className="visually-hidden">{said}</output>;
}
