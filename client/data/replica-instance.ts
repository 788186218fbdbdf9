import { checkForUpdate } from './register-service-worker.ts';
import { ReplicaService } from './replica/replica-service.ts';

/** The one replica of this page. */
export const replicaService = new ReplicaService(checkForUpdate);
