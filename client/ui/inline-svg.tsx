import { useEffect, useRef } from 'react';

interface InlineSvgProps {
  /** Markup of one `svg` element, from our own server. */
  readonly markup: string;
  readonly label: string;
}

/**
 * A picture that arrives as text. Parsed as an image and imported: the page's policy allows no `data:` images, and
 * scripts in parsed markup never run.
 */
export function InlineSvg({ markup, label }: InlineSvgProps) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement;
    if (parsed.nodeName !== 'svg') return;
    for (const node of parsed.querySelectorAll('script, foreignObject')) node.remove();
    parsed.setAttribute('width', '100%');
    parsed.setAttribute('height', '100%');
    box.current?.replaceChildren(document.importNode(parsed, true));
  }, [markup]);
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element could not hold the parsed picture
  return <span ref={box} role="img" aria-label={label} />;
}
