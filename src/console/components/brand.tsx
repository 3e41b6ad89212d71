/** The operator's brand, or Peyk's own: the logo, and Peyk's name where the brand is another. */
import { assetUrl } from "../assets/assets.ts";
import { useLocale } from "../locale.ts";

export function BrandLogo({ size }: { size: 24 | 40 }) {
  const { brand } = useLocale();
  if (brand === null) return <img src={assetUrl("logo.svg")} width={size} height={size} alt="" />;
  return <img class={size === 40 ? "brand-logo brand-logo-large" : "brand-logo"} src={brand.logoUrl} alt="" />;
}

/** Peyk's name, small, on a page that bears another. */
export function PoweredBy() {
  const { brand, words } = useLocale();
  if (brand === null) return null;
  return (
    <p class="powered muted">
      {words.layout.poweredBy} <bdi>{words.brand}</bdi>
    </p>
  );
}
