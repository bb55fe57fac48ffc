// Package peers runs a Python script that times other libraries, next to measurements of girih's kernels. The script
// reads a line of JSON, and answers with a line of JSON.
package peers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
)

// A Python is a running script.
type Python struct {
	in   io.WriteCloser
	out  *bufio.Reader
	cmd  *exec.Cmd
	name string
	err  error
}

// Start starts a script; errors of [Python.Ask] call it by its name.
func Start(ctx context.Context, python, name, script string) (*Python, error) {
	cmd := exec.CommandContext(ctx, python, "-c", script)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Python{in: in, out: bufio.NewReader(out), cmd: cmd, name: name}, nil
}

// Close ends the script.
func (p *Python) Close() {
	_ = p.in.Close()
	_ = p.cmd.Wait() // its measurements are over
}

// Ask sends a question and reads the answer. After an error it returns this error.
func (p *Python) Ask(question, answer any) error {
	if p.err != nil {
		return p.err
	}
	line, err := json.Marshal(question)
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	var reply []byte
	if err == nil {
		reply, err = p.out.ReadBytes('\n')
	}
	if err == nil {
		err = json.Unmarshal(reply, answer)
	}
	if err != nil {
		p.err = fmt.Errorf("the Python that times %s: %w", p.name, err)
	}
	return p.err
}
