package e2e

import (
	_ "embed"
	"strings"
	"testing"
)

// pastes contains texts that people paste from many tools. The line before each text names the tool.
//
//go:embed testdata/pastes.txt
var pastes string

// TestOffersTrials checks that the values proposed for run-time integers satisfy the stated facts. Until the user
// accepts the values, the layout is shown as an outline.
func TestOffersTrials(t *testing.T) {
	p := open(t, "e=(M{div=8},K):(K,1)")
	p.wait("document.querySelector('[data-testid=symbolic] svg[role=img]')")
	p.click(button("try K = 8, M = 8"))
	p.waitText("[data-testid=value]", "(8,8):(8,1)")
	p.load("e=(M{<=3},K{>=20,div=7}):(K,1)")
	p.click("document.querySelector('[data-testid=symbols] button')")
	p.wait("document.querySelector('[data-testid=logical-0] canvas')")
	if n := p.count("[data-testid=fault]"); n != 0 {
		t.Errorf("the proposal is refused: %s", p.text("[data-testid=fault]"))
	}
}

// TestOffersSelection checks that a selection ends when the shape of the layout changes, and that a link sets its own
// selection.
func TestOffersSelection(t *testing.T) {
	p := open(t, "e=(8,8):(8,1)&s=0.35")
	p.settle()
	p.write(bar, "(8,8):(1,8)")
	p.waitText("[data-testid=value]", "(8,8):(1,8)")
	p.wait("location.hash.includes('s=0.35')")
	p.write(bar, "(100,100):(100,1)")
	p.waitText("[data-testid=value]", "(100,100):(100,1)")
	p.wait("!location.hash.includes('s=')")
	p.load("e=(4,4):(4,1)&s=0.5")
	p.wait("location.hash.includes('s=0.5')")
}

// TestOffersBytes checks a swizzle that may be meant for bytes: one click shows the layout in elements.
func TestOffersBytes(t *testing.T) {
	p := open(t, "e=Sw<3,4,3> o 0 o (8,64):(64,1)&t=f16")
	p.waitText(".notes", "is meant for bytes")
	p.click(button("Sw<3,3,3> o 0 o (8,64):(64,1)"))
	p.waitText("[data-testid=value]", "Sw<3,3,3> o 0 o (8,64):(64,1)")
	p.waitText(".answer", "swizzled in elements of f16")
	p.wait("!document.querySelector('[data-testid=in-bytes]')")
}

// TestOffersModule checks that every expression that the panel offers for a pasted module has a value.
func TestOffersModule(t *testing.T) {
	p := open(t, "e=4:1")
	p.paste(`#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
%a = ttg.local_load %b : !ttg.memdesc<128x64xf16, #shared> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
`, 1)
	const dot = "linear(dot_op{opIdx=0, parent=nvidia_mma{versionMajor=2, versionMinor=0, warpsPerCTA=[2,2], instrShape=[16,8]}, kWidth=2}, (128,64))"
	p.waitText("[data-testid=pasted]", dot)
	p.settle()
	offered := get[string](p, `[...document.querySelectorAll("[data-testid=pasted] .found button")].map((b) => b.title.replace("put it into the line: ", "") || b.textContent).join("\n")`)
	for _, expr := range strings.Split(offered, "\n") {
		p.write(bar, expr)
		p.wait("document.querySelector('[data-testid=value]') && !document.querySelector('.stale, [data-testid=fault]')")
	}
	if !strings.Contains(offered, dot) {
		t.Errorf("offered are %q", offered)
	}
}

// TestOffersPastes checks that every expression that the panel offers for pastes from many tools has a value. The test
// evaluates the expressions of the panel's links.
func TestOffersPastes(t *testing.T) {
	p := open(t, "e=4:1")
	total := 0
	for paste := range strings.SplitSeq("\n"+pastes, "\n=== ") {
		name, text, ok := strings.Cut(paste, "\n")
		if !ok {
			continue
		}
		p.write(bar, "4:1")
		p.paste(text+"\n# "+name, 1)
		p.waitText("[data-testid=pasted] figcaption", "found")
		p.settle()
		refused := get[string](p, `(async () => {
			const links = [...document.querySelectorAll("[data-testid=pasted] li button, [data-testid=pasted] .finding p button")];
			const exprs = links.map((b) => b.title ? b.title.replace("put it into the line: ", "") : b.textContent);
			window.offered = exprs.length;
			const bad = [];
			for (const expr of new Set(exprs)) {
				const r = await (await fetch("api/eval", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ expr }) })).json();
				if (!r.ok && !document.querySelector("[data-testid=pasted] .finding code")?.textContent.includes(expr)) bad.push(expr + ": " + r.error.message);
			}
			return bad.join("\n");
		})()`)
		n := get[int](p, "offered")
		total += n
		t.Logf("%s: %d links", name, n)
		if refused != "" {
			t.Errorf("%s offers what has no value:\n%s", name, refused)
		}
	}
	if total < 60 {
		t.Errorf("%d links in all", total)
	}
}

// TestOffersPassed checks that the page shows the error messages that girih ignores, because one may state the cause.
func TestOffersPassed(t *testing.T) {
	p := open(t, "e=4:1")
	p.paste("ValueError: Shape divisibility condition violated: composition((6,2):(1,7), 3:2)\nRuntimeError: something odd happened\n", 1)
	p.waitText("[data-testid=pasted] .finding", "composition")
	p.waitText("[data-testid=passed]", "passed over 1 error message")
	p.waitText("[data-testid=passed]", "something odd happened")
}

// TestOffersPage checks that a link to a page that does not exist shows an error.
func TestOffersPage(t *testing.T) {
	p := open(t, "p=nosuch")
	p.waitText("[data-testid=fault]", `there is no page "nosuch"`)
	p.load("p=mma")
	p.wait("!document.querySelector('[data-testid=fault]')")
}

// TestOffersServer checks that the page reports a stopped server, and continues by itself when the server is back.
func TestOffersServer(t *testing.T) {
	open(t, "e=8:1") // skips the test if there is no browser
	address, stop, err := serve()
	if err != nil {
		t.Fatal(err)
	}
	p := openAt(t, address, "e=8:1")
	p.waitText("[data-testid=value]", "8:1")
	p.excuse("ERR_CONNECTION_REFUSED")
	stop()
	p.write(bar, "coalesce((4,2):(1,4))")
	p.waitText("[data-testid=engine]", "the girih serve behind this page has ended")
	port := strings.TrimSuffix(address[strings.LastIndexByte(address, ':')+1:], "/")
	_, stop, err = serve("--port", port)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	p.waitText("[data-testid=value]", "8:1")
	p.wait("!document.querySelector('[data-testid=engine]')")
}
