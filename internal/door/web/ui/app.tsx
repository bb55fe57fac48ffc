// The frame of the page: the name, the tabs, the theme, and the page that the URL names.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Palette } from "./color";
import { pageNamed, pageOf, pages } from "./pages/index";
import { Fault } from "./fault";
import { useExplain } from "./glossary";
import { Help, typing } from "./help";
import { useLabels, useSwitch, useTexts } from "./lang";
import { watchPopups } from "./popups";
import { Loading } from "./loading";
import { go, useLink, useParam, useParams } from "./state";
import { useMedia } from "./use";

export function App() {
  const [id] = useParam("p");
  const t = useLabels();
  const other = useSwitch();
  const [theme, setTheme] = useParam("theme", "auto");
  const system = useMedia("(prefers-color-scheme: dark)");
  const dark = theme === "auto" ? system : theme === "dark";
  const palette = useMemo(() => new Palette(dark), [dark]);
  const page = pageOf({ p: id });
  // Before anything is painted, because canvases take their colors from it.
  const [embed] = useParam("embed");
  useLayoutEffect(() => void document.documentElement.toggleAttribute("data-embed", embed !== ""), [embed]);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }, [dark]);
  const params = useParams();
  const subject = page.subject?.(params) ?? "";
  useEffect(() => {
    const short = subject.length > 60 ? subject.slice(0, 59) + "…" : subject;
    document.title = [short, page.id === "" ? "" : page.title, "girih"].filter(Boolean).join(" · ");
  }, [subject, page]);
  const [help, setHelp] = useState(false);
  const [term, setTerm] = useState("");
  useExplain((x) => {
    setTerm(x);
    setHelp(true);
  });
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (typing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "?") setHelp((open) => !open);
      else if (e.key === "/") {
        e.preventDefault();
        first();
      }
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  useEffect(watchPopups, []);
  // If the tabs are a row that scrolls, the tab of the current page is visible.
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (tab && tabs.current) tabs.current.scrollLeft = tab.offsetLeft - tabs.current.offsetLeft - 16;
  }, [page]);
  const View = page.view;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); first(); }}>to the expression</a>
      <header>
        <a class="wordmark" href="#" onClick={(e) => { e.preventDefault(); go("", {}); }} aria-label="girih, to the first page"><Star /> girih</a>
        <nav aria-label="pages" ref={tabs}>
          {pages.map((x) => (
            <button type="button" key={x.id} title={x.hint} aria-current={x === page ? "page" : undefined} onClick={() => go(x.id)}>{t(x.title)}</button>
          ))}
        </nav>
        <button type="button" class="icon tongue" lang={other.language} title={other.name} onClick={other.next}>{other.name}</button>
        <button type="button" class="icon" title="keys and glossary (?)" aria-label="keys" onClick={() => setHelp(true)}>?</button>
        <button type="button" class="icon" title={dark ? "light theme" : "dark theme"} aria-label={dark ? "light theme" : "dark theme"} onClick={() => setTheme(dark ? "light" : "dark")}>
          {dark ? "☀" : "☾"}
        </button>
      </header>
      <Loading />
      {!pageNamed(id) && <Fault now fault={unknown(id)} />}
      <LongLink />
      <main id="main"><View key={page.id} palette={palette} /></main>
      <Help open={help} term={term} onClose={() => { setHelp(false); setTerm(""); }} />
    </>
  );
}

/** Says that the link is cut, or does not have its text. */
function LongLink() {
  const { texts: { words } } = useTexts();
  const { broken, onlyHere } = useLink();
  if (broken) return <Fault now fault={{ code: "syntax", message: broken, hint: "ask for the link again, or paste its text" }} />;
  return onlyHere ? <p class="only-here quiet small" role="status" data-testid="only-here">{words["only here"]}</p> : null;
}

/** Says that a link names a page that does not exist. */
function unknown(id: string) {
  return { code: "name", message: `there is no page "${id}": this is ${pages[0].title}`, hint: "the pages are " + pages.map((x) => x.id || x.title).join(", ") };
}

/** Gives the first expression of the page the focus. */
function first(): void {
  document.querySelector<HTMLElement>("main textarea, main input")?.focus();
}

/** The ten-pointed star from which girih patterns grow. */
function Star() {
  const points: string[] = [];
  for (let k = 0; k < 20; k++) {
    const r = k % 2 === 0 ? 11 : 6.6;
    const a = (k * Math.PI) / 10 - Math.PI / 2;
    points.push(`${(12 + r * Math.cos(a)).toFixed(2)},${(12 + r * Math.sin(a)).toFixed(2)}`);
  }
  return <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><polygon points={points.join(" ")} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" /></svg>;
}
