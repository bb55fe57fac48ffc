// Package pty opens pseudo terminals for tests of programs that behave differently at a terminal. It supports Linux.
package pty
