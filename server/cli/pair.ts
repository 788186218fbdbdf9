import { SERVER_URL_SETTING } from '../domain/server-address.ts';
import { localUrl } from '../network.ts';
import { pairingOn, expectWords, roleFlag, withStore, type Command } from './command.ts';

/** `drover pair`: a code for one more device, made by whoever may read the database. */
export const pairCommand: Command = {
  help: '  pair [--role admin]                      a pairing link, good for ten minutes and one device',
  needsData: true,
  run(input) {
    expectWords(input, 0, 'drover pair [--role viewer|operator|admin]');
    const role = roleFlag(input, 'admin');
    return withStore(input.databasePath, (store) => {
      const { code, expiresAt } = pairingOn(store).issueCode(role);
      const base =
        input.config.publicUrl ??
        store.settings.setting(SERVER_URL_SETTING) ??
        localUrl(input.config.tls === null ? 'http' : 'https', input.config.host, input.config.port);
      const url = `${base}/#pair=${code}`;
      return {
        json: { code, url, expiresAt },
        text: `Open this link on the device to pair (${role}), before ${new Date(expiresAt).toLocaleTimeString()}:\n\n  ${url}\n\nor type the code ${code} in the app.`,
      };
    });
  },
};
