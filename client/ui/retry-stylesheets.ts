const RETRY_MS = 2000;

/**
 * Fetches a style sheet again that could not be fetched. The bundler's loader asks for a sheet once only: when the code it
 * belongs to is loaded at a second try, it would otherwise stand on the page without its styles.
 */
export function retryStylesheets(document: Document): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
      setTimeout(() => target.replaceWith(target.cloneNode()), RETRY_MS);
    },
    { capture: true },
  );
}
