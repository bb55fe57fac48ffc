package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
)

// pages lists the pages by their value of p in the URL.
var pages = []string{"", "algebra", "swizzle", "mma", "copy", "kernel", "operations", "compare", "lessons", "open"}

// TestNames checks what a screen reader needs: every control has a name, heading levels are in order, and there is one
// main part.
func TestNames(t *testing.T) {
	roles := " button textbox searchbox combobox slider checkbox radio radiogroup tab tablist link spinbutton option listbox application img menuitem switch "
	for _, id := range pages {
		p := open(t, "p="+id)
		p.settle()
		tree := call(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		controls, mains := 0, 0
		for _, n := range tree.Nodes {
			if n.Ignored || n.Role == nil {
				continue
			}
			role := text(n.Role)
			if role == "main" {
				mains++
			}
			if !strings.Contains(roles, " "+role+" ") {
				continue
			}
			controls++
			if role != "tablist" && role != "listbox" && strings.TrimSpace(text(n.Name)) == "" {
				t.Errorf("page %q: a %s has no name: %s", id, role, p.describe(n))
			}
		}
		if controls < 10 || mains != 1 {
			t.Errorf("page %q: %d controls and %d main parts in the accessibility tree", id, controls, mains)
		}
	}
}

// text returns the value of an accessibility property as a string.
func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s string
	if json.Unmarshal(v.Value, &s) != nil {
		return ""
	}
	return s
}

// describe returns n, a node of the accessibility tree, as a short text.
func (p *tab) describe(n *accessibility.Node) string {
	out, _ := json.Marshal(n)
	return short(string(out))
}

// TestTabKey checks that the tab key reaches all controls and that the focused control is visible.
func TestTabKey(t *testing.T) {
	p := open(t, "e=(4,8):(8,1)")
	p.js("document.activeElement.blur()")
	seen := map[string]bool{}
	for range 60 {
		p.keys("\t")
		at := get[string](p, "document.activeElement === document.body ? '' : document.activeElement.tagName + ' ' + (document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText ?? '').slice(0, 30)")
		if at == "" {
			break
		}
		if seen[at] && len(seen) > 15 {
			break
		}
		seen[at] = true
		if get[bool](p, "(() => { const r = document.activeElement.getBoundingClientRect(); return r.width === 0 || r.height === 0 })()") {
			t.Errorf("%s has the focus and cannot be seen", at)
		}
	}
	for _, want := range []string{"A to the expression", "BUTTON Algebra", "TEXTAREA expression", "BUTTON SVG", "CANVAS  logical grid"} {
		found := false
		for at := range seen {
			found = found || strings.HasPrefix(at, want)
		}
		if !found {
			t.Errorf("the tab key does not reach %q: %v", want, seen)
		}
	}
}
