package copies

import (
	"bufio"
	"context"
	_ "embed" // embeds the script
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
)

//go:embed peers.py
var peersScript string

// copyPeers is a Python process that times other libraries, in the same rounds as girih's kernel.
type copyPeers struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
	err error
}

// startPeers starts the Python.
func startPeers(ctx context.Context, python string) (*copyPeers, error) {
	cmd := exec.CommandContext(ctx, python, "-c", peersScript)
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
	return &copyPeers{in: in, out: bufio.NewReader(out), cmd: cmd}, nil
}

func (p *copyPeers) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// ask sends a question and reads the answer.
func (p *copyPeers) ask(question, answer any) error {
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
		p.err = fmt.Errorf("the Python that times PyTorch and CuPy: %w", err)
	}
	return p.err
}

// prepare makes the tensors of a case in the process.
func (p *copyPeers) prepare(c *copyCase) error {
	var none any
	return p.ask(map[string]any{"do": "case", "shape": c.Shape, "perm": c.Perm, "step": c.Step, "bytes": c.Bytes}, &none)
}

// round measures each library once.
func (p *copyPeers) round() error {
	var none any
	return p.ask(map[string]any{"do": "round"}, &none)
}

// medians returns the medians of the last rounds.
func (p *copyPeers) medians(last int) []copyPeer {
	var out []copyPeer
	if err := p.ask(map[string]any{"do": "end", "last": last}, &out); err != nil {
		return []copyPeer{{Name: "Python", Error: err.Error()}}
	}
	return out
}
