import { join } from 'node:path';
import { build } from 'vite';
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';
import { PAGE_MODULES } from '../start/early-files.ts';
import type { EarlyFiles } from '../start/early-files.ts';
import { frameMarkup } from '../start/frame-markup.ts';
import { scopedClass } from './scoped-class.ts';

const CLIENT = join(import.meta.dirname, '..');
const EMPTY_ROOT = '<div id="root"></div>';

/**
 * Makes the page paint before the app runs: the frame stands in `#root` until the app draws its own, and a script of its
 * own sets theme and title and has the browser fetch what this address needs. Only in the build; nothing inline, because
 * the content security policy allows none.
 */
export function startFrame(): Plugin {
  let scriptFile = '';
  return {
    name: 'drover:start-frame',
    apply: 'build',
    async generateBundle() {
      const source = await firstScript();
      const reference = this.emitFile({ type: 'asset', name: 'first.js', source });
      scriptFile = this.getFileName(reference);
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        if (!html.includes(EMPTY_ROOT)) throw new Error('index.html has no empty #root');
        const framed = html.replace(EMPTY_ROOT, `<div id="root">${frameMarkup(classOf)}</div>`);
        const tag: HtmlTagDescriptor = {
          tag: 'script',
          attrs: { src: `/${scriptFile}`, 'data-early': JSON.stringify(earlyFiles(bundle)) },
          injectTo: 'head-prepend',
        };
        return { html: framed, tags: [tag] };
      },
    },
  };
}

/** `rail.item`: the class `item` of `rail.module.css`. */
function classOf(name: string): string {
  const [file = '', className = ''] = name.split('.');
  const folder = file === 'icon' ? 'ui' : 'pages/frame';
  return scopedClass(className, join(CLIENT, folder, `${file}.module.css`));
}

async function firstScript(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(CLIENT, 'start', 'first-script.ts'), output: { format: 'iife' } },
    },
  });
  const [result] = [output].flat();
  const chunk = result && 'output' in result ? result.output[0] : undefined;
  if (chunk === undefined) throw new Error('the first script was not built');
  return chunk.code;
}

function earlyFiles(bundle: Rolldown.OutputBundle): EarlyFiles {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const closure = (start: readonly Rolldown.OutputChunk[]): ReadonlySet<Rolldown.OutputChunk> => {
    const found = new Set(start);
    for (const { imports } of found) {
      for (const name of imports) {
        const chunk = byName.get(name);
        if (chunk) found.add(chunk);
      }
    }
    return found;
  };
  // The page itself names these.
  const named = closure(chunks.filter(({ isEntry }) => isEntry));
  const namedStyles = new Set(
    [...named].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
  );
  const files: string[] = [];
  const indexOf = (fileName: string): number => {
    const name = fileName.replace(/^assets\//, '');
    return files.includes(name) ? files.indexOf(name) : files.push(name) - 1;
  };
  const filesOf = (module: string): readonly number[] => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(CLIENT, module)));
    // Renamed or merged: the start would be slower, and nobody would see why.
    if (chunk === undefined) throw new Error(`${module} is in no file`);
    const wanted = [...closure([chunk])].filter((file) => !named.has(file));
    const styles = wanted.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
    return [
      ...styles.filter((name) => !namedStyles.has(name)),
      ...wanted.map(({ fileName }) => fileName),
    ].map(indexOf);
  };
  const pages = Object.entries(PAGE_MODULES).map(([word, module]) => [word, filesOf(module)]);
  return { files, pages: Object.fromEntries(pages) };
}
