package e2e

import (
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const (
	lineRate = 400e3                 // of a slow line, in bytes a second
	burst    = 50 * time.Millisecond // what a loaded machine sleeps too long is sent at once
)

// A line is what all connections of a server share: a byte leaves when those before it have left.
type line400 struct {
	mu   sync.Mutex
	free time.Time // when the next byte may leave
}

func (l *line400) send(n int) {
	l.mu.Lock()
	now := time.Now()
	if early := now.Add(-burst); l.free.Before(early) {
		l.free = early
	}
	l.free = l.free.Add(time.Duration(float64(n) / lineRate * 1e9))
	wait := l.free.Sub(now)
	l.mu.Unlock()
	time.Sleep(wait)
}

type slowConn struct {
	net.Conn
	line *line400
}

// Write sends pieces, so that connections take turns.
func (c slowConn) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		k, m := min(len(p), 1400), 0
		c.line.send(k)
		m, err = c.Conn.Write(p[:k])
		n, p = n+m, p[m:]
	}
	return n, err
}

type slowListener struct {
	net.Listener
	line *line400
}

func (l slowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return slowConn{c, l.line}, err
}

// compressing serves a folder as hosts do that compress: texts in gzip, and engines in the Brotli that lies beside them.
func compressing(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch filepath.Ext(r.URL.Path) {
		case ".br":
			w.Header().Set("Content-Encoding", "br")
			w.Header().Set("Content-Type", "application/wasm")
			files.ServeHTTP(w, r)
		case ".html", ".js", ".css", ".json", "":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			r.Header.Del("Range")
			files.ServeHTTP(zipped{w, z}, r)
		default:
			files.ServeHTTP(w, r)
		}
	})
}

type zipped struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (z zipped) Write(p []byte) (int, error) { return z.z.Write(p) }

func (z zipped) WriteHeader(code int) {
	z.Header().Del("Content-Length")
	z.ResponseWriter.WriteHeader(code)
}

// TestSpeedSlowLine measures first visits of the site in the folder GIRIH_SITE over a line of 400 kB/s: the times until
// the picture of the link is decoded, until the page is there, and until the engine has answered. The goals are 1 s for the
// picture and 5 s for the engine.
func TestSpeedSlowLine(t *testing.T) {
	dir := os.Getenv("GIRIH_SITE")
	if dir == "" {
		t.Skip("GIRIH_SITE names no folder with a site")
	}
	for host, h := range map[string]http.Handler{"plain": http.FileServer(http.Dir(dir)), "compressing": compressing(dir)} {
		var (
			mu    sync.Mutex
			began time.Time
			said  []string
		)
		files := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if r.URL.Path == "/" {
				began, said = time.Now(), nil
			}
			from, at := began, time.Since(began)
			mu.Unlock()
			h.ServeHTTP(w, r)
			mu.Lock()
			said = append(said, fmt.Sprintf("%s%s %d-%d", strings.TrimPrefix(r.Method, "GET"), r.URL.Path, at.Milliseconds(), time.Since(from).Milliseconds()))
			mu.Unlock()
		}))
		files.Listener = slowListener{files.Listener, new(line400)}
		files.Start()
		defer files.Close()
		for _, hash := range []string{
			"l=layout&p=lessons", "e=zipped_divide((9,(4,8)):(59,(13,1)),+%3C3:3,(2,4):(1,8)%3E)", "e=mma(%22SM80_16x8x16_F32F16F16F32_TN%22)", "e=8:1",
		} {
			var times [3][]float64
			for range rounds(3) {
				p := blank(t, files.URL+"/")
				call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
					window.seenAt = {};
					let loading = false;
					const look = () => {
						const i = document.querySelector("img.early");
						if (i?.complete && i.naturalWidth) seenAt.picture ??= performance.now();
						if (document.querySelector("header")) seenAt.page ??= performance.now();
						const line = document.querySelector("` + engineLine + `");
						if (line) loading = true;
						else if (loading) seenAt.engine ??= performance.now();
						requestAnimationFrame(look);
					};
					requestAnimationFrame(look)`})
				p.visit(hash)
				p.wait("seenAt.engine")
				for k, name := range []string{"picture", "page", "engine"} {
					times[k] = append(times[k], get[float64](p, "seenAt."+name+" ?? -1"))
				}
				p.do(chromedp.Navigate("about:blank")) // a larger engine may still come
			}
			mu.Lock()
			t.Logf("%s: the requests of the last visit, in ms: %s", host, strings.Join(said, ", "))
			mu.Unlock()
			t.Logf("%s, #%s: picture %s ms; page %s ms; engine %s ms", host, strings.SplitN(hash, "(", 2)[0], spread(times[0]), spread(times[1]), spread(times[2]))
		}
	}
}
