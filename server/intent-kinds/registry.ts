import type { IntentKind } from '#shared/schemas/intent.ts';
import type { IntentRules } from '../domain/intent-kind.ts';
import { hostPause } from './host-pause.ts';
import { hostResume } from './host-resume.ts';
import { modelLoad } from './model-load.ts';
import { modelUnload } from './model-unload.ts';
import { profileActivate } from './profile-activate.ts';
import { requestCancel } from './request-cancel.ts';

/** Every kind this collector executes; one that is missing does not compile. */
export const INTENT_REGISTRY: Readonly<Record<IntentKind, IntentRules>> = {
  'model.load': modelLoad,
  'model.unload': modelUnload,
  'request.cancel': requestCancel,
  'profile.activate': profileActivate,
  'host.pause': hostPause,
  'host.resume': hostResume,
};
