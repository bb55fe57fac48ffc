// The language of the lessons, of the glossary and of what is around them. English is part of the page; another language
// is one file, loaded when a reader asks for it. Until it is there, the page is in English.

import { createContext } from "preact";
import { useEffect, useState } from "preact/hooks";
import english from "./lang/en.json";
import type { LessonText } from "./lessons/translate";
import { useParam } from "./state";

export { put } from "./words";

export type Words = Record<keyof typeof english, string>;

/** The texts of a language. English lessons are in the lessons themselves. */
export interface Texts {
  words: Words;
  lessons?: LessonText[];
  forms?: Record<string, string>; // by the words of the service's rows
}

/** The languages, with their own names. The first is the page's. */
export const languages = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof languages;

const loaded: Partial<Record<Language, Texts>> = { en: { words: english } };

/** The language of the page, with its texts if they are there, and the setter of the language. */
export function useTexts(): { language: Language; texts: Texts; choose: (l: Language) => void } {
  const [asked, choose] = useParam("lang", "en");
  const [, come] = useState(0);
  const language: Language = asked in languages ? (asked as Language) : "en";
  useEffect(() => {
    document.documentElement.lang = loaded[language] ? language : "en";
    if (loaded[language]) return;
    let here = true;
    void fetch(language + ".json")
      .then((r) => (r.ok ? (r.json() as Promise<Texts>) : undefined))
      .catch(() => undefined) // the page stays in English
      .then((t) => {
        if (t) loaded[language] = t;
        if (here) come((n) => n + 1);
      });
    return () => void (here = false);
  }, [language]);
  useEffect(() => {
    document.documentElement.lang = loaded[language] ? language : "en";
  });
  return { language, texts: loaded[language] ?? loaded.en!, choose };
}

/** A label of the page: its English words. */
export type Label = keyof Words extends infer K ? (K extends `label ${infer L}` ? L : never) : never;

/** The labels in the language of the page. */
export function useLabels(): (english: Label) => string {
  const { words } = useTexts().texts;
  return (english) => words[`label ${english}` as keyof Words];
}

/** What rows of the service say, in the language of the page if it has the words. */
export function useForms(): (english: string) => string {
  const { forms } = useTexts().texts;
  return (english) => forms?.[english] ?? english;
}

/** The words for parts of which there are many: unlike useTexts, it does not draw them again whenever the state changes. */
export const WordsOf = createContext<Words>(english);

/** The button that changes to the next language. */
export function useSwitch(): { name: string; language: Language; next: () => void } {
  const { language, choose } = useTexts();
  const all = Object.keys(languages) as Language[];
  const to = all[(all.indexOf(language) + 1) % all.length];
  return { name: languages[to], language: to, next: () => choose(to) };
}
