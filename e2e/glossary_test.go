package e2e

import "testing"

// The glossary finds a term by any spelling, names what is near, follows related terms, speaks Chinese, and opens an
// example.
func TestGlossary(t *testing.T) {
	p := open(t, "")
	p.click(button("keys"))
	p.click(button("Glossary"))
	p.waitText("[data-testid=terms]", " terms")
	p.write(".glossary input", "SM70_QuadPair")
	p.waitText("[data-testid=term] h3", "quadpair")
	p.write(".glossary input", "quadpear")
	p.waitText("[data-testid=terms]", "Perhaps")
	p.waitText("[data-testid=term] h3", "quadpair")
	p.write(".glossary input", "xyzzyx")
	p.waitText("[data-testid=terms]", "No term has")
	p.write(".glossary input", "codomain")
	p.waitText("[data-testid=term] h3", "codomain")
	p.click("[...document.querySelectorAll('.glossary .see button')].find((b) => b.innerText === 'image')")
	p.waitText("[data-testid=term] h3", "image")
	p.click("[...document.querySelectorAll('dialog[open] button')].find((b) => b.innerText === '中文')")
	p.waitText("[data-testid=term]", "像、值域")
	p.click(button("在 Explore 中打开"))
	p.wait("!document.querySelector('dialog[open]')")
	p.waitText("[data-testid=value]", "{0,1,2,3,8,9,10,11}")
}

// A term in the text of a lesson opens the glossary, also in Chinese.
func TestGlossaryTerm(t *testing.T) {
	p := open(t, "p=lessons")
	p.click(button("stride"))
	p.waitText("[data-testid=term] h3", "stride")
	p.click(button("close"))
	p.wait("!document.querySelector('dialog[open]')")
	p.click(button("mode"))
	p.waitText("[data-testid=term] h3", "mode")
	p.load("p=lessons&l=static&lang=zh")
	p.click(button("静态"))
	p.waitText("[data-testid=term] h3", "static integer")
}
