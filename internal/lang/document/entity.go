package document

import (
	"strconv"
	"strings"
)

// This file replaces the entities of HTML, as &lt;. Package html knows 2,200 of them, in a table of 20 kB of the
// compressed engine of a page. The entities here occur around code and formulas; any other stays as it is.

var entities = strings.NewReplacer(
	"&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&apos;", "'", "&nbsp;", "\u00a0",
	"&times;", "×", "&middot;", "·", "&sdot;", "⋅", "&minus;", "−", "&plusmn;", "±", "&div;", "÷",
	"&le;", "≤", "&ge;", "≥", "&ne;", "≠", "&equiv;", "≡", "&rarr;", "→", "&larr;", "←", "&hellip;", "…",
	"&ndash;", "–", "&mdash;", "—", "&lsquo;", "‘", "&rsquo;", "’", "&ldquo;", "“", "&rdquo;", "”",
	"&lfloor;", "⌊", "&rfloor;", "⌋", "&lceil;", "⌈", "&rceil;", "⌉", "&oplus;", "⊕", "&isin;", "∈", "&sum;", "∑",
	"&lang;", "⟨", "&rang;", "⟩", "&lbrace;", "{", "&rbrace;", "}", "&lsqb;", "[", "&rsqb;", "]", "&ast;", "*",
	"&lowbar;", "_", "&num;", "#", "&sol;", "/", "&bsol;", `\`, "&colon;", ":", "&comma;", ",", "&equals;", "=",
	"&lpar;", "(", "&rpar;", ")", "&Tab;", "\t", "&NewLine;", "\n",
)

// unescape replaces entities of HTML, also those by number: &#60; and &#x3C; are <.
func unescape(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "&#")
		if b.WriteString(entities.Replace(before)); !ok {
			return b.String()
		}
		number, after, _ := strings.Cut(rest, ";")
		base := 10
		if hex := strings.TrimLeft(number, "xX"); len(hex)+1 == len(number) {
			number, base = hex, 16
		}
		n, err := strconv.ParseInt(number, base, 32)
		if err != nil || len(after)+len(number) >= len(rest) {
			b.WriteString("&#")
			s = rest
			continue
		}
		b.WriteRune(rune(n))
		s = after
	}
}
