/**
 * The parts of prom-client that Peyk uses. Its index loads the push gateway, the metrics of a Node cluster and Node's
 * default metrics as well: a tenth of the time to start.
 */
import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import Histogram from "prom-client/lib/histogram.js";
import Registry from "prom-client/lib/registry.js";

export { Counter, Gauge, Histogram, Registry };
