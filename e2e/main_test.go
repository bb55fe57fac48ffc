// Package e2e drives the explorer in a real browser. It builds girih, serves the page, and uses it with mouse and
// keyboard as a person would. The tests need Chromium as packaged by Debian. Without Chromium, the tests are skipped,
// unless the variable GIRIH_BROWSER is "required".
//
//	go test ./...                       # from this folder; the browser must be installed
//	go test -run Shots -shots DIR ./... # writes pictures of all pages
package e2e

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var (
	shots = flag.String("shots", "", "write pictures of all pages to this `folder`")
	speed = flag.Bool("speed", false, "measure as often as figures need that are quoted")
)

// Variables that all tests share.
var (
	girih   string          // the binary
	server  string          // the address of girih serve, with a final slash
	browser context.Context // the context in which tabs are opened
	missing string          // the reason why no browser is available; empty if one is
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	program, found := chromium()
	if !found {
		missing = "no Chromium found: install the package chromium, or set GIRIH_CHROMIUM to the program"
		if os.Getenv("GIRIH_BROWSER") == "required" {
			fmt.Fprintln(os.Stderr, missing)
			return 1
		}
		return m.Run() // all tests skip
	}
	dir, err := os.MkdirTemp("", "girih-e2e-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	girih = filepath.Join(dir, "girih")
	build := exec.Command("go", "build", "-o", girih, "./cmd/girih")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fail(fmt.Errorf("go build: %w\n%s", err, out))
	}
	address, stop, err := serve()
	if err != nil {
		return fail(err)
	}
	defer stop()
	server = address
	quit, err := start(program, filepath.Join(dir, "profile"))
	if err != nil {
		return fail(err)
	}
	defer quit()
	return m.Run()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// chromium returns the browser that GIRIH_CHROMIUM names, or else the first installed Chromium.
func chromium() (path string, found bool) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if own := os.Getenv("GIRIH_CHROMIUM"); own != "" {
		names = []string{own}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// serve starts girih serve with the given further arguments, and reads the address from the line that girih prints.
func serve(args ...string) (address string, stop func(), err error) {
	c := exec.Command(girih, append([]string{"serve"}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			fmt.Fprintf(os.Stderr, "girih serve ended with %v after an interrupt\n", err)
		}
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		c.Process.Kill()
		c.Wait()
		return "", nil, fmt.Errorf("girih serve printed no address: %w", err)
	}
	_, address, _ = strings.Cut(strings.TrimSpace(line), ": ")
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		stop()
		return "", nil, fmt.Errorf("girih serve printed %q, want a line with its address at 127.0.0.1", line)
	}
	return address, stop, nil
}

// start starts the browser, which may connect only to the server.
func start(program, profile string) (quit func(), err error) {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), // /dev/shm is small in containers
		// Background tabs must draw like the front tab.
		chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("force-color-profile", "srgb"), chromedp.WindowSize(1400, 900),
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	quit = func() {
		end, done := context.WithTimeout(ctx, 10*time.Second)
		chromedp.Cancel(end) // lets the browser close its files; otherwise it is killed below
		done()
		cancel()
		cancelAllocator()
	}
	if err := chromedp.Do(ctx); err != nil {
		quit()
		return nil, fmt.Errorf("%s does not start: %w", program, err)
	}
	browser = ctx
	return quit, nil
}
