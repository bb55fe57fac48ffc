package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience limits how long a test waits; a loaded machine is slow.
const patience = 20 * time.Second

// helpers are scripts that run in each page before the page's own scripts. They observe the page without changing it.
//
//go:embed helpers.js
var helpers string

// tab is one page with its own profile. At the end of a test there must be no complaints: no error or warning on
// the console, no violation of the content security policy, no failed request, no dialog.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string // the address that hashes are appended to

	mu         sync.Mutex
	complaints []string
	excused    []string // complaints that contain one of these texts are expected
}

// open opens the explorer in a new tab with a state such as p=algebra&a=4:1.
func open(t *testing.T, hash string) *tab {
	t.Helper()
	return openAt(t, server, hash)
}

func openAt(t *testing.T, base, hash string) *tab {
	t.Helper()
	needBrowser(t)
	p := blank(t, base)
	p.load(hash)
	return p
}

func needBrowser(t *testing.T) {
	t.Helper()
	if missing != "" {
		t.Skip(missing)
	}
}

// blank returns a tab that has not loaded the page yet.
func blank(t *testing.T, base string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	p := &tab{t: t, ctx: ctx, base: base}
	p.do(chromedp.EmulateViewport(1400, 900))
	if err := chromedp.Listen(ctx, p.heard); err != nil {
		t.Fatal(err)
	}
	call(p, runtime.Enable, cdp.Empty{})
	call(p, log.Enable, cdp.Empty{})
	call(p, page.Enable, page.EnableParams{})
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: helpers})
	t.Cleanup(func() {
		defer cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.complaints {
			if !slices.ContainsFunc(p.excused, func(s string) bool { return strings.Contains(c, s) }) {
				t.Errorf("the browser says: %s", c)
			}
		}
	})
	return p
}

// heard records an event of the browser if it is a complaint.
func (p *tab) heard(event any) {
	var c string
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning {
			return
		}
		c = "console." + string(e.Type)
		for _, a := range e.Args {
			c += " " + string(a.Value) + a.Description
		}
	case *runtime.EventExceptionThrown:
		c = e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			c += " " + x.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
			return
		}
		c = fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		c = "a dialog opens: " + e.Message
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = append(p.complaints, c)
}

// excuse declares that the test provokes complaints that contain text.
func (p *tab) excuse(text string) { p.excused = append(p.excused, text) }

// load loads the page with the state hash.
func (p *tab) load(hash string) {
	p.t.Helper()
	p.visit(hash)
	p.settle()
}

// visit loads the page as load does, and does not wait for answers.
func (p *tab) visit(hash string) {
	p.t.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.base+"#"+hash))
	p.wait("document.querySelector('main')?.childElementCount > 0")
}

// reload loads the page again at its current address.
func (p *tab) reload() {
	p.t.Helper()
	p.load(strings.TrimPrefix(p.hash(), "#"))
}

// settle waits until the page has received all answers and has drawn everything.
func (p *tab) settle() {
	p.t.Helper()
	p.wait("girihTest.settled()")
}

func (p *tab) hash() string { return get[string](p, "location.hash") }

// do performs actions; a failure ends the test.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx := p.ctx
	if chromedp.FromContext(ctx).Target != nil { // the first use binds the tab to ctx, which must not have a deadline then
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 3*patience)
		defer cancel()
	}
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatalf("the browser does not do it: %v", err)
	}
}

// get returns the value of a JavaScript expression.
func get[T any](p *tab, js string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 3*patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", short(js), err)
	}
	return v
}

// js runs JavaScript statements.
func (p *tab) js(statements string) {
	p.t.Helper()
	get[int](p, "(async () => {"+statements+"; return 0})()")
}

// wait waits until a JavaScript expression is true.
func (p *tab) wait(js string) {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(15 * time.Millisecond) {
		if get[bool](p, "Boolean("+js+")") {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("after %v it is still not so: %s\nurl %s\npage %s", patience, short(js), get[string](p, "location.href"), get[string](p, "document.body.innerText.slice(0, 1500)"))
		}
	}
}

// waitText waits until the text of an element contains want.
func (p *tab) waitText(selector, want string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("document.querySelector(%s)?.innerText.replace(/\\s+/g, ' ').includes(%s)", quote(selector), quote(want)))
}

// text returns the text of an element, with runs of white space as single blanks, or "" if there is no such element.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return get[string](p, fmt.Sprintf("(document.querySelector(%s)?.innerText ?? '').replace(/\\s+/g, ' ').trim()", quote(selector)))
}

// count returns the number of elements that match a selector.
func (p *tab) count(selector string) int {
	p.t.Helper()
	return get[int](p, fmt.Sprintf("document.querySelectorAll(%s).length", quote(selector)))
}

// keys types keys into the focused element.
func (p *tab) keys(keys string, options ...chromedp.KeyOption) {
	p.t.Helper()
	for i, part := range strings.Split(keys, kb.Enter) {
		if i > 0 {
			p.enter()
		}
		if part != "" {
			p.do(chromedp.KeyEvent(part, options...))
		}
	}
}

// enter presses Enter with its own key events, because chromedp always sends the line break separately after the key,
// even if the page handled the key.
func (p *tab) enter() {
	p.t.Helper()
	e := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r", UnmodifiedText: "\r"}
	call(p, input.DispatchKeyEvent, e)
	e.Type, e.Text, e.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
	call(p, input.DispatchKeyEvent, e)
}

// write replaces the text of a field, as a person does by selecting all text and pasting.
func (p *tab) write(selector, text string) {
	p.t.Helper()
	p.js(fmt.Sprintf("const e = document.querySelector(%s); e.focus(); e.select()", quote(selector)))
	if text == "" {
		p.keys("\b")
		return
	}
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// choose chooses an option of a select element.
func (p *tab) choose(selector, value string) {
	p.t.Helper()
	p.js(fmt.Sprintf("girihTest.choose(%s, %s)", quote(selector), quote(value)))
}

// click clicks in the middle of the element that a JavaScript expression returns.
func (p *tab) click(element string) {
	p.t.Helper()
	p.wait(element)
	at := get[point](p, "girihTest.middle("+element+")")
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

// button returns a JavaScript expression for the button with this text or accessible name.
func button(name string) string { return "girihTest.button(" + quote(name) + ")" }

// control returns a JavaScript expression for the control with this label.
func control(label string) string { return "girihTest.control(" + quote(label) + ")" }

type point struct{ X, Y float64 }

func call[P, R any](p *tab, c cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 3*patience)
	defer cancel()
	r, err := chromedp.Call(ctx, c, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// quote returns s as a JavaScript literal.
func quote(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(out)
}

func short(s string) string {
	if len(s) > 300 {
		return s[:300] + " …"
	}
	return s
}

// quoteList returns list as a JavaScript literal.
func quoteList(list []string) string {
	out, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(out)
}
