/** Entering the portal by a link of the operator's own site. Opening it, as previews do, does not use it up: only the button does. */

import { cameBy } from "../../../users/session-service.ts";
import { Notice } from "../../components/blocks.tsx";
import { PoweredBy } from "../../components/brand.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { Name } from "../../components/inline.tsx";
import { Preferences } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useWords } from "../../locale.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { document, type OpenAnswer, type OpenCall, openPage } from "../../page/page.ts";
import { SignInFrame } from "./sign-in.tsx";
import { comeIn } from "./sign-in-pages.tsx";
import { enterWords } from "./words.ts";

type EnterCall = OpenCall<{ readonly token: string }>;

export const enterPages = (deps: UserPagesDeps) => [
  openPage({
    method: "GET",
    path: "/enter/:token",
    answer: (call) => enterForm(call, call.side === "portal" ? deps.users.userOfPortalLink(call.params.token) : null),
  }),
  openPage({ method: "POST", path: "/enter/:token", answer: (call) => enter(deps, call) }),
];

function enterForm({ owner, look, params }: EnterCall, user: { name: string } | null): OpenAnswer {
  const page = <EnterPage {...{ owner, token: params.token, theme: look.theme, name: user?.name ?? null }} />;
  return document(page, user === null ? 410 : 200);
}

async function enter({ users, sessions, own }: UserPagesDeps, call: EnterCall): Promise<OpenAnswer> {
  const { side, address, params } = call;
  // At the other listener it is not even used up.
  const user = side === "portal" ? users.takePortalLink(params.token) : null;
  const result = user === null ? null : await sessions.signInProven(user.id, cameBy("link"), address);
  if (user === null || result === null) return enterForm(call, null);
  if (result.kind === "in")
    await own.tell({ user: user.name, side, address, action: "session.begin" }, { way: "link" });
  return comeIn(sessions, call, result, "/");
}

interface EnterProps {
  owner: string;
  token: string;
  theme: EnterCall["look"]["theme"];
  /** Null: the link is not good any more. */
  name: string | null;
}

function EnterPage({ owner, token, theme, name }: EnterProps) {
  const say = useWords(enterWords);
  return (
    <SignInFrame title={say.title} owner={owner} theme={theme} isSignIn>
      {name === null ? (
        <Notice tone="bad" action={<LinkButton href="/sign-in" label={say.byPassword} />}>
          {say.ended}
        </Notice>
      ) : (
        <PostForm class="card form" action={`/enter/${encodeURIComponent(token)}`}>
          <p class="enter-as">
            <span class="muted">{say.as}</span>
            <b>
              <Name>{name}</Name>
            </b>
          </p>
          <SubmitButton look="primary wide" label={say.submit} />
          <p class="field-hint">{say.once}</p>
        </PostForm>
      )}
      <Preferences theme={theme} path={name === null ? "/" : `/enter/${encodeURIComponent(token)}`} />
      <PoweredBy />
    </SignInFrame>
  );
}
