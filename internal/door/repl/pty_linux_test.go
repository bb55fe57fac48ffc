package repl

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"girih/internal/check/pty"
)

// inChild is set in the process that TestMain runs the REPL in, at a terminal.
const inChild = "GIRIH_TEST_REPL"

func TestMain(m *testing.M) {
	if os.Getenv(inChild) != "" {
		os.Exit(Run(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// A screen is a pseudo terminal with the REPL in it.
type screen struct {
	t      *testing.T
	typed  *os.File
	shown  chan []byte
	output bytes.Buffer
}

// newScreen starts the REPL at a terminal of the given name and width.
func newScreen(t *testing.T, term string, columns uint16) *screen {
	t.Helper()
	keys, end, err := pty.Open(columns)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { keys.Close() })
	defer end.Close()
	cmd := exec.Command(os.Args[0])
	home := t.TempDir()
	cmd.Env = []string{inChild + "=1", "TERM=" + term, "HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state")}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = end, end, end
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := &screen{t: t, typed: keys, shown: make(chan []byte)}
	go func() {
		defer close(s.shown)
		for {
			part := make([]byte, 4096)
			n, err := keys.Read(part)
			if err != nil {
				return // the REPL has ended
			}
			s.shown <- part[:n]
		}
	}()
	return s
}

// press types keys.
func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.typed.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for text, and returns the output since the last call up to the end of that text.
func (s *screen) until(text string) string {
	s.t.Helper()
	patience := time.After(time.Minute)
	for !strings.Contains(s.output.String(), text) {
		select {
		case part, ok := <-s.shown:
			if !ok {
				s.t.Fatalf("the REPL has ended before %q was shown; shown was\n%.2000q", text, s.output.String())
			}
			s.output.Write(part)
		case <-patience:
			s.t.Fatalf("%q was not shown; shown was\n%.2000q", text, s.output.String())
		}
	}
	return string(s.output.Next(strings.Index(s.output.String(), text) + len(text)))
}

// Colors are escape sequences and not text, in all terminals that have any.
func TestDrawAtTerminal(t *testing.T) {
	t.Parallel()
	for _, term := range []string{"xterm-256color", "screen-256color", "tmux-256color", "xterm", "linux", "dumb"} {
		t.Run(term, func(t *testing.T) {
			t.Parallel()
			s := newScreen(t, term, 100)
			if term != "dumb" {
				s.until("girih>")
			}
			s.press(":draw (4,4):(4,1)\r")
			s.until("15")
			s.press("9 + 9\r")
			if shown := s.until("18"); strings.Contains(shown, `\u001b`) {
				t.Errorf("an escape sequence is shown as text: %q", shown)
			}
		})
	}
}

// Keys typed during a computation are not lost, and their lines end where Enter was pressed.
func TestTypedAhead(t *testing.T) {
	t.Parallel()
	s := newScreen(t, "xterm-256color", 80)
	s.until("girih>")
	s.press(":draw (64,64):(64,1)\r:draw (64,64):(64,1)\r") // shown for a while
	for i := range 20 {
		s.press(fmt.Sprintf("%d + 1000\r", i))
	}
	for i := range 20 {
		s.until(fmt.Sprintf("\x1b[?2004l%d\r\n", i+1000)) // after the end of the line that was edited
	}
	s.press("quit\r")
}
