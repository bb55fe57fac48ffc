package document

import (
	"html"
	"testing"
)

// TestUnescape compares entities with package html, which knows all of them.
func TestUnescape(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "a &lt;_4&gt;{} &amp;&amp; b", "&amp;lt;", "&#60;&#x3C;&#X3c; &#39;", "&#60 &# &#; &#x; &#1234567890123;",
		"&times;&minus;&le;&oplus;&nbsp;",
		"&lfloor;x&rfloor; &ldquo;y&rdquo; &hellip;", "&unknown; & &;", "&lbrace;&lpar;&comma;&rpar;&rbrace;&NewLine;",
	} {
		if s == "&#60 &# &#; &#x; &#1234567890123;" { // not entities here
			if got := unescape(s); got != s {
				t.Errorf("%q is %q", s, got)
			}
			continue
		}
		if got, want := unescape(s), html.UnescapeString(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
