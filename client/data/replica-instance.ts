import { ReplicaService } from './replica/replica-service.ts';

/** The one replica of this page. */
export const replicaService = new ReplicaService(() => {
  import('./register-service-worker.ts').then(
    ({ checkForUpdate }) => checkForUpdate(),
    () => undefined,
  );
});
