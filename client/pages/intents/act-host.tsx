import { useEffect, useState } from 'react';
import { ActStep } from './act-step.tsx';
import type { ActRequest } from './act-requests.ts';
import { takeActs } from './act-requests.ts';
import { ModelSheet } from './model-sheet.tsx';

/** The sheets that act, for every page: takes what is asked for, one after the other: a sheet that is open is never
 * replaced by another one. */
export function ActHost() {
  const [asked, setAsked] = useState<readonly { readonly key: number; readonly request: ActRequest }[]>([]);
  useEffect(() => {
    let count = 0;
    return takeActs((request) => {
      count += 1;
      const key = count;
      setAsked((before) => [...before, { key, request }]);
    });
  }, []);
  const [first] = asked;
  return (
    <>
      <ModelSheet />
      {first === undefined ? null : (
        <ActStep
          key={first.key}
          request={first.request}
          onDone={() => setAsked((before) => before.filter((entry) => entry !== first))}
        />
      )}
    </>
  );
}
