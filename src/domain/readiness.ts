/** The components of a service that is ready to work, as checked by `/readyz` and `peyk doctor`. */

/** True means healthy. */
export interface ReadinessChecks {
  store: boolean;
  schedulers: boolean;
  routes: boolean;
}
