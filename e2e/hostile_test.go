package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestHostileURLs checks that the page works with malicious or truncated links, and executes nothing from a link.
func TestHostileURLs(t *testing.T) {
	const script = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`
	escaped := strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22", " ", "%20").Replace(script)
	for name, hash := range map[string]string{
		"script in e":        "e=" + escaped,
		"script raw":         "e=" + script,
		"script in all":      strings.ReplaceAll("p=mma&atom=X&atoms=X&perm=X&q=X&thread=X&s=X&by=X&po=X&pa=X&pr=X", "X", escaped),
		"javascript":         "p=javascript:window.owned=1&e=javascript:window.owned=1&theme=javascript:window.owned=1",
		"prototype":          "__proto__=1&constructor=2&toString=3&hasOwnProperty=4&p=__proto__&e=4:1",
		"invalid percent":    "e=%E0%A4%A&t=%&by=%zz&%=%",
		"lone surrogate":     "e=%ED%A0%80",
		"control characters": "e=%00%01%1b[31m&p=%00",
		"unknown page":       "p=nosuchpage&e=4:1",
		"unknown options":    "e=(4,8):(8,1)&t=f99&by=nothing&s=9.99999999999999999999&tile=((((",
		"numbers":            "p=swizzle&B=1e309&M=-1&S=NaN",
		"more numbers":       "p=swizzle&B=999999&M=0x10&S=1.5&threads=-5&m=zz80&access=%3Cscript%3E",
		"a thread":           "p=mma&thread=1e99&s=2.1e99&pr=-9e99",
		"huge layout":        "e=(1099511627776,1099511627776):(1,1099511627776)",
		"deep":               "e=" + strings.Repeat("(", 20000),
		"long":               "e=" + strings.Repeat("(4,8):(8,1)+o+", 5000),
		"many names":         strings.Repeat("a=1&b=2&", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, hash)
			p.excuse("cannot be parsed, or is out of range") // a number field gets an invalid value
			p.settle()
			if get[bool](p, "'owned' in window") {
				t.Error("a script in the URL was executed")
			}
			// No part of the text became an element.
			if n := p.count("main script, main img:not([src^='data:image/svg+xml,']), main iframe, main object, main embed"); n != 0 {
				t.Errorf("%d elements of the URL are on the page", n)
			}
			// The page remains usable.
			p.click(button("Algebra"))
			p.waitText("[data-testid=value]", ":")
			p.click("document.querySelector('.wordmark')")
			p.waitText("[data-testid=value]", "Sw<3,3,3> o 0 o (8,64):(64,1)")
		})
	}
}

// TestServerLimits checks that the server refuses excessive requests with an explanation, and continues.
func TestServerLimits(t *testing.T) {
	needBrowser(t) // the server runs on the same machine as the browser
	post := func(change func(*http.Request), body string) (status int, text string) {
		t.Helper()
		r, err := http.NewRequest("POST", server+"api/inspect", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if change != nil {
			change(r)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(data)
	}
	const good = `{"expr":"(6,2):(8,2) o (4,3):(3,1)"}`
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		body   string
		status int
		text   string
	}{
		{"as it should be", nil, good, 200, `((2,2),3):((24,2),8)`},
		{"another Host", func(r *http.Request) { r.Host = "evil.example" }, good, 421, "evil.example"},
		{"another Origin", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, good, 403, ""},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, good, 403, ""},
		{"3 MB", nil, `{"expr":"` + strings.Repeat("x", 3<<20) + `"}`, 413, "2 MiB"},
		{"no JSON", nil, `{"expr`, 200, "syntax"},
		{"an unknown field", nil, `{"expr":"4:1","evil":1}`, 200, "evil"},
	} {
		if status, text := post(c.change, c.body); status != c.status || !strings.Contains(text, c.text) {
			t.Errorf("%s: %d %s, want %d with %q", c.name, status, short(text), c.status, c.text)
		}
	}
	// Another site that learns the address cannot put the explorer in a frame, and the explorer loads nothing from
	// other sites.
	answer, err := http.Get(server)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "connect-src 'self'"} {
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, want) {
			t.Errorf("the content security policy %q lacks %q", policy, want)
		}
	}
}
