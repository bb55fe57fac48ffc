package cli_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"girih/internal/door/cli"
)

// run runs the command without a REPL.
func run(stdin io.Reader, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = cli.App{}.Main(args, stdin, &out, &errs)
	return status, out.String(), errs.String()
}

func TestNoArgumentsAreNotTheProcess(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := run(nil)
	if status != 0 || !strings.HasPrefix(stdout, "girih computes ") || stderr != "" {
		t.Errorf("girih = %d, %q, %q", status, stdout, stderr)
	}
}

func TestREPLIsGiven(t *testing.T) {
	t.Parallel()
	app := cli.App{REPL: func(stdin io.Reader, stdout, stderr io.Writer) int {
		io.Copy(stdout, stdin)
		io.WriteString(stderr, "bye")
		return 1
	}}
	var out, errs bytes.Buffer
	if status := app.Main([]string{"repl"}, strings.NewReader("hello"), &out, &errs); status != 1 ||
		out.String() != "hello" || errs.String() != "bye" {
		t.Errorf("girih repl = %d, %q, %q; want what the REPL does", status, out.String(), errs.String())
	}
	if status, _, stderr := run(nil, "repl"); status != 2 || !strings.Contains(stderr, `there is no command "repl"`) {
		t.Errorf("girih repl without one = %d, %q", status, stderr)
	}
}

// failing is a writer that fails after some bytes.
type failing struct {
	left int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return f.left, f.err
	}
	f.left -= len(p)
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	full := errors.New("disk is full")
	for _, test := range []struct {
		name   string
		args   []string
		err    error
		status int
		stderr string
	}{
		{"lines", []string{"eval", "-"}, full, 1, "girih: cannot write the output: disk is full\n"},
		{"lines to a reader that left", []string{"eval", "-"}, syscall.EPIPE, 0, ""},
		{"JSON lines to a reader that left", []string{"eval", "-", "--json"}, syscall.EPIPE, 0, ""},
		{"failed arguments to a reader that left", []string{"eval", "--json", "(", "1"}, syscall.EPIPE, 1, ""},
		{"argument", []string{"eval", "4:1"}, full, 1, "girih: cannot write the output: disk is full\n"},
		{"grid", []string{"layout", "4:1"}, full, 1, "girih: cannot write the output: disk is full\n"},
		{"JSON grid", []string{"layout", "--json", "4:1"}, syscall.EPIPE, 0, ""},
		{"help", []string{"help"}, full, 1, "girih: cannot write the output: disk is full\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var errs bytes.Buffer
			in := strings.NewReader(strings.Repeat("4:1\n", 100_000))
			status := cli.App{}.Main(test.args, in, &failing{left: 3, err: test.err}, &errs)
			if status != test.status || errs.String() != test.stderr {
				t.Errorf("girih %q = %d, %q; want %d, %q", test.args, status, errs.String(), test.status, test.stderr)
			}
		})
	}
}

// TestWriteErrorEndsTheWork checks that nothing more is read after a write has failed.
func TestWriteErrorEndsTheWork(t *testing.T) {
	t.Parallel()
	n := 0
	in := readerFunc(func(p []byte) (int, error) {
		if n++; n > 10 {
			t.Error("it reads on")
			return 0, io.EOF
		}
		return copy(p, strings.Repeat("4:1\n", len(p)/4)), nil
	})
	if status := (cli.App{}).Main([]string{"eval", "-"}, in, &failing{err: syscall.EPIPE}, io.Discard); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestLinesInPieces(t *testing.T) {
	t.Parallel()
	const in, want = "4:1\r\n\n2+2\nlet a = 3; a\r\na + 1", "4:1\n\n4\n3\n4\n"
	for name, r := range map[string]io.Reader{
		"whole":      strings.NewReader(in),
		"byte":       iotest.OneByteReader(strings.NewReader(in)),
		"half":       iotest.HalfReader(strings.NewReader(in)),
		"data + EOF": iotest.DataErrReader(strings.NewReader(in)),
	} {
		if status, stdout, stderr := run(r, "eval", "-"); status != 0 || stdout != want || stderr != "" {
			t.Errorf("%s: girih eval - = %d, %q, %q; want %q", name, status, stdout, stderr, want)
		}
	}
}

func TestLinesReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, in := range map[string]io.Reader{
		"after the data":     io.MultiReader(strings.NewReader("4:1\n2:1\n3:"), iotest.ErrReader(broken)),
		"together with data": readerFunc(func(p []byte) (int, error) { return copy(p, "4:1\n2:1\n3:"), broken }),
	} {
		status, stdout, stderr := run(in, "eval", "-")
		if status != 2 || stdout != "4:1\n2:1\n" || stderr != "girih: broken\n" {
			t.Errorf("%s: girih eval - = %d, %q, %q; want the lines before the error", name, status, stdout, stderr)
		}
	}
}

// TestAnswersComeAtOnce checks that each answer arrives before the next line is sent.
func TestAnswersComeAtOnce(t *testing.T) {
	t.Parallel()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan int)
	go func() { done <- cli.App{}.Main([]string{"eval", "-"}, inR, outW, io.Discard) }()
	for _, line := range []string{"4:1", "4:", "2"} {
		if _, err := io.WriteString(inW, line+"\n"); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		n, err := outR.Read(buf)
		if err != nil || buf[n-1] != '\n' {
			t.Fatalf("the answer to %q is %q, %v", line, buf[:n], err)
		}
	}
	inW.Close()
	if status := <-done; status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
}

// TestLongLines checks the longest line that is kept and the shortest that is dropped.
func TestLongLines(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	for _, n := range []int{limit - 1, limit, limit + 1, limit + 2, limit + 3, 2*limit + 1, 3 * limit} {
		for _, end := range []string{"\n", "\r\n"} {
			in := "1\n" + strings.Repeat(" ", n-1) + "7" + end + "2" + end
			status, stdout, _ := run(strings.NewReader(in), "eval", "-")
			lines := strings.Split(stdout, "\n")
			if len(lines) != 4 || lines[0] != "1" || lines[2] != "2" {
				t.Fatalf("a line of %d bytes: %q", n, stdout)
			}
			if n <= limit && (lines[1] != "7" || status != 0) {
				t.Errorf("a line of %d bytes gives %q, %d; want 7", n, lines[1], status)
			}
			if n > limit && (!strings.HasPrefix(lines[1], "error: limit: ") || status != 1) {
				t.Errorf("a line of %d bytes gives %q, %d; want the error limit", n, lines[1], status)
			}
		}
	}
}

// TestLinesAllocate checks that reading and writing lines allocates nothing in addition to the evaluation.
func TestLinesAllocate(t *testing.T) {
	const n = 20_000 // enough that making the commands does not matter
	in := strings.Repeat("\n", n)
	perRun := testing.AllocsPerRun(5, func() { run(strings.NewReader(in), "eval", "-") })
	if perLine := perRun / n; perLine > 1.1 { // parsing a program allocates once
		t.Errorf("%.2f allocations for an empty line, want 1", perLine)
	}
}
