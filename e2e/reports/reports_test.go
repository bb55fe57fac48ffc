// Package reports tests the reports of girih check with the programs that read them: a validator reads SARIF with
// the official schema, and bash executes the steps of the GitHub action.
package reports

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // imported only for the schema in its source
	"github.com/xeipuuv/gojsonschema"
	"gopkg.in/yaml.v3"
)

var girih string // the binary

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "girih-reports-")
	if err == nil {
		defer os.RemoveAll(dir)
		girih = filepath.Join(dir, "girih")
		build := exec.Command("go", "build", "-o", girih, "./cmd/girih")
		build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
		err = build.Run()
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return m.Run()
}

// files are a repository with an error, a warning and a note.
var files = map[string]string{
	"kernels/k.ptx": ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.shared .align 16 .b32 s[8];\n" +
		".reg .b64 %a; .reg .b32 %b<3>;\nld.shared.u64 %a, [s+4];\nld.shared.u32 %b0, [s];\nld.shared.u32 %b1, [s+4];\nret;\n}\n",
	"kernels/old.ptx":  ".version 1.4\n.entry k\n",
	"a b,c/tile ü%.cu": "__shared__ float t[32][32]; // girih: conflict-free f32 ld by rows\n",
	"fine.py":          "t = make_layout((8, 64), (64, 1))  # girih: golden\n",
}

// repository writes files into a new folder.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// outcome runs a command, and returns its exit status and outputs.
func outcome(t *testing.T, c *exec.Cmd) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	c.Env = append(c.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	err := c.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return status, out.String(), errs.String()
}

// schema returns the schema of SARIF 2.1.0 (errata 01) out of the source of go-sarif, which does not export it.
func schema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go")
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.STRING {
			text, err = strconv.Unquote(x.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, "SARIF) Version 2.1.0") {
		t.Fatalf("%s has no schema: %v", name, err)
	}
	return text
}

// TestSARIF checks reports with every kind of entry against the schema. It also checks that the validator rejects
// a wrong report.
func TestSARIF(t *testing.T) {
	t.Parallel()
	s, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(schema(t)))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) *gojsonschema.Result {
		r, err := s.Validate(gojsonschema.NewStringLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, args := range [][]string{{"."}, {"fine.py"}, {"none.ptx", "kernels"}} {
		c := exec.Command(girih, append([]string{"check", "--format", "sarif"}, args...)...)
		c.Dir = repository(t)
		_, text, _ := outcome(t, c)
		if r := valid(text); !r.Valid() {
			t.Errorf("%v: %v\n%s", args, r.Errors(), text)
		}
		if bad := strings.Replace(text, `"version": "2.1.0"`, `"version": "2.1"`, 1); valid(bad).Valid() {
			t.Error("a wrong version is valid")
		}
	}
}

// action contains the fields of action.yml that a runner uses.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Shell, Run string
			Env        map[string]string
		}
	}
}

// step returns the command of the action's only step, with the given inputs inserted as a runner of GitHub Actions
// does.
func step(t *testing.T, inputs map[string]string, path string) *exec.Cmd {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil || a.Runs.Using != "composite" || len(a.Runs.Steps) != 1 {
		t.Fatalf("%v: %+v", err, a)
	}
	x := a.Runs.Steps[0]
	c := exec.Command(x.Shell, "--noprofile", "--norc", "-eo", "pipefail", "-c", x.Run)
	c.Dir = repository(t)
	c.Env = []string{"PATH=" + path, "HOME=" + t.TempDir(), "RUNNER_TEMP=" + t.TempDir(), "GITHUB_ACTIONS=true"}
	for name, value := range x.Env {
		value = strings.ReplaceAll(value, "${{ github.action_path }}", root)
		for input, given := range a.Inputs {
			to := given.Default
			if v, ok := inputs[input]; ok {
				to = v
			}
			value = strings.ReplaceAll(value, "${{ inputs."+input+" }}", to)
		}
		if strings.Contains(value, "${{") {
			t.Fatalf("%s is %s", name, value)
		}
		c.Env = append(c.Env, name+"="+value)
	}
	return c
}

// TestAction executes the step of the action with several inputs.
func TestAction(t *testing.T) {
	t.Parallel()
	const tools = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	bare := t.TempDir() // a PATH without girih and Go
	for _, name := range []string{"bash", "uname"} {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(program, filepath.Join(bare, name)); err != nil {
			t.Fatal(err)
		}
	}
	notGirih := filepath.Join(bare, "bash")
	for name, c := range map[string]struct {
		inputs map[string]string
		path   string
		status int
		says   string
	}{
		"findings":      {map[string]string{"girih": girih}, tools, 1, "::error file=a b%2Cc/tile ü%25.cu,line=1,col=32,title=girih%3A conflict-free::"},
		"nothing wrong": {map[string]string{"girih": girih, "paths": "fine.py"}, tools, 0, "girih: 1 file checked: nothing found"},
		"arguments":     {map[string]string{"girih": girih, "paths": "kernels/old.ptx", "args": "--strict"}, tools, 1, "::warning file=kernels/old.ptx,line=2,"},
		"of the PATH":   {map[string]string{"paths": "fine.py"}, filepath.Dir(girih) + ":" + tools, 0, "nothing found"},
		"two paths":     {map[string]string{"girih": girih, "paths": "fine.py kernels", "sarif": "out.sarif"}, tools, 1, "::error file=kernels/k.ptx,line=7,"},
		"no binary":     {map[string]string{"girih": "bin/girih"}, tools, 2, "::error title=girih::there is no binary bin/girih"},
		"wrong binary":  {map[string]string{"girih": notGirih}, tools, 2, "is not a girih for this machine"},
		"nothing there": {nil, bare, 2, "::error title=girih::there is no girih in the PATH and no Go to build one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := step(t, c.inputs, c.path)
			status, stdout, stderr := outcome(t, cmd)
			if status != c.status || !strings.Contains(stdout, c.says) {
				t.Errorf("status %d, want %d and %q\n%s\n%s", status, c.status, c.says, stdout, stderr)
			}
			if file := c.inputs["sarif"]; file != "" {
				if _, err := os.Stat(filepath.Join(cmd.Dir, file)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestHooks checks that the hooks of pre-commit name commands and files that girih knows.
func TestHooks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Name, Entry, Language, Files string }
	if err := yaml.Unmarshal(text, &hooks); err != nil || len(hooks) != 2 {
		t.Fatalf("%v: %+v", err, hooks)
	}
	for _, h := range hooks {
		args := strings.Fields(h.Entry)
		c := exec.Command(girih, append(args[1:], "fine.py", "kernels/k.ptx", "package.json")...)
		c.Dir = repository(t)
		if err := os.WriteFile(filepath.Join(c.Dir, "package.json"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, stdout, _ := outcome(t, c); status != 1 || !strings.Contains(stdout, "2 files checked: 1 error") {
			t.Errorf("%s: status %d\n%s", h.ID, status, stdout)
		}
	}
}
