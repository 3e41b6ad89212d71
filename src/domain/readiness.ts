/** What the service consists of when it is ready to work; `/readyz` and `peyk doctor` look at it. */

/** True is good. */
export interface ReadinessChecks {
  store: boolean;
  schedulers: boolean;
  routes: boolean;
}
