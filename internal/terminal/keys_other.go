//go:build !unix

package terminal

import "os"

// KeepKeys does nothing where terminals keep the keys by themselves.
func KeepKeys(*os.File) (putBack func()) { return func() {} }
