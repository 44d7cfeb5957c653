#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"

new gcc-error gcc
mkdir src; cat > src/main.c <<'E'
#include <stdio.h>
#include "ring.h"
int main(void) {
  struct ring r = ring_new(8);
  ring_push(&r, 3);
  printf("%d\n", r.lenght);
  return 0;
}
E
echo 'struct ring { int length; int *items; }; struct ring ring_new(int n); void ring_push(struct ring *r, int v);' > src/ring.h
for i in 1 2 3 4 5 6; do printf '#include <stdlib.h>\nint f%d(unsigned n) { int i, e; for (i = 0; i < n; i++) { e = i; } return 0; }\n' $i > src/f$i.c; done
cat > Makefile <<'E'
CFLAGS = -Wall -Wextra -O2
OBJ = src/f1.o src/f2.o src/f3.o src/f4.o src/f5.o src/f6.o src/main.o
app: $(OBJ)
	$(CC) -o $@ $^
E
run <<'END'
gcc --version
make
END

new gcc-undefined gcc
cat > a.c <<'E'
#include <math.h>
#include <zlib.h>
double area(double r);
int main(void) { return (int)area(sqrt(2.0)) + (int)compressBound(5); }
E
sed -i '/zlib/d; s/ + (int)compressBound(5)//' a.c
run <<'END'
gcc -Wall -c a.c -o a.o
gcc -o app a.o -lm
./app
END

new gcc-missing-header gcc
echo '#include <libpq-fe-nope/libpq-fe.h>
int main(void) { return 0; }' > db.c
cat > Makefile <<'E'
all: db.o
db.o: db.c
	cc -Wall -c db.c
E
run <<'END'
make -k all
END

new gxx-template g++
cat > main.cpp <<'E'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include <iostream>
struct Point { int x, y; };
int main() {
  std::vector<Point> v{{3, 1}, {1, 2}};
  std::map<Point, std::string> names;
  std::sort(v.begin(), v.end());
  names[v[0]] = "a";
  std::cout << names[v[0]] << "\n";
}
E
run <<'END'
g++ --version | head -1
g++ -std=c++17 -Wall -o app main.cpp
END

new gxx-colour g++
cat > calc.cpp <<'E'
#include <string>
#include <vector>
unsigned total(const std::vector<int>& v) { unsigned t = 0; for (int i = 0; i < v.size(); i++) t += v[i]; return t; }
int main() { std::string s = total({1, 2, 3}); int unused; return s.size(); }
E
run <<'END'
g++ -fdiagnostics-color=always -Wall -Wextra -Wconversion -c calc.cpp
END

new gcc-segfault gcc
cat > t.c <<'E'
#include <stdio.h>
#include <string.h>
struct node { struct node *next; int v; };
static int sum(struct node *n) { int t = 0; while (1) { t += n->v; n = n->next; } return t; }
int main(void) { setvbuf(stdout, 0, _IONBF, 0); struct node a = {0, 1}; for (int i = 0; i < 40; i++) printf("test %d: no error\n", i); return sum(&a); }
E
run <<'END'
gcc -g -o t t.c
bash -c './t; exit $?'
END

new gcc-assert gcc
cat > t.c <<'E'
#include <assert.h>
#include <stdio.h>
static int parse(const char *s) { int v = -1; sscanf(s, "%d", &v); return v; }
int main(void) { assert(parse("1") == 1); printf("ok 1 - parses\n"); fflush(stdout); assert(parse("error") == -1); printf("ok 2 - error gives -1\n"); fflush(stdout); assert(parse("0x10") == 16); printf("ok 3\n"); }
E
run <<'END'
gcc -g -o t t.c
./t
END

new asan gcc
cat > t.c <<'E'
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
static char *join(const char *a, const char *b) { char *r = malloc(strlen(a) + strlen(b)); strcpy(r, a); strcat(r, b); return r; }
int main(void) { for (int i = 0; i < 20; i++) fprintf(stderr, "case %d passed\n", i); char *s = join("foo", "barbaz"); puts(s); free(s); return 0; }
E
run <<'END'
gcc -g -fsanitize=address -o t t.c
ASAN_OPTIONS=detect_leaks=0 ./t
END

new valgrind-leak valgrind
cat > t.c <<'E'
#include <stdlib.h>
#include <stdio.h>
int main(void) { int *p = malloc(40); for (int i = 0; i < 10; i++) p[i] = i; int s = p[10]; printf("%d\n", s > 1000000); return 0; }
E
run <<'END'
gcc -g -o t t.c
valgrind --error-exitcode=9 ./t
END

new make-recursive make
mkdir -p lib net ui
for d in lib net ui; do printf 'OBJ = a.o b.o c.o d.o\nall: $(OBJ)\n%%.o: %%.c\n\t$(CC) -Wall -Wextra -c $< -o $@\n' > $d/Makefile; for f in a b c d; do printf '#include <stdio.h>\nint %s_%s(int n, int unused) { int e = 0; return n; }\n' $d $f > $d/$f.c; done; done
echo 'int net_c(int n) { return n + MAX_RETRIES; }' > net/c.c
printf 'all: lib net ui\nlib net ui:\n\t$(MAKE) -C $@\n.PHONY: all lib net ui\n' > Makefile
run <<'END'
make -j4
END

new make-no-rule make
mkdir src; echo 'int main(void){return 0;}' > src/main.c
printf 'all: app\napp: src/main.o src/version.o\n\t$(CC) -o $@ $^\n' > Makefile
run <<'END'
make clean || true
make all
END

new make-shell-step make
mkdir docs; for i in $(seq 1 50); do echo "# Page $i" > docs/p$i.md; done
cat > Makefile <<'E'
.PHONY: docs check deploy
deploy: docs check
	@echo deployed
docs:
	@for f in docs/*.md; do echo "render $$f: 0 errors, 0 warnings"; done
check:
	@grep -q TODO docs/*.md && echo todo || true
	@test -f docs/index.md || { echo "docs/index.md is missing: the site would have no start page"; exit 3; }
E
run <<'END'
make deploy
END

new cmake-find-package cmake
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(shop C CXX)
find_package(Threads REQUIRED)
find_package(ProtobufNope 3.21 REQUIRED)
add_executable(shop main.cpp)
E
echo 'int main(){}' > main.cpp
run <<'END'
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build -j2
END

new cmake-build cmake
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(shop CXX)
add_compile_options(-Wall -Wextra)
set(S "")
foreach(i RANGE 1 12)
  list(APPEND S f${i}.cpp)
endforeach()
add_library(core ${S})
add_executable(shop main.cpp)
target_link_libraries(shop core)
E
for i in $(seq 1 12); do printf 'int f%d(int a, int error) { int warning = a; return a; }\n' $i > f$i.cpp; done
printf 'int f1(int, int);\nint g();\nint main() { return f1(1, 2) + g(); }\n' > main.cpp
run <<'END'
cmake -S . -B build
cmake --build build -j2
END

new ninja-failed ninja
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(shop CXX)
foreach(i RANGE 1 25)
  list(APPEND S f${i}.cpp)
endforeach()
add_library(core ${S})
E
for i in $(seq 1 25); do printf '#include <string>\n#pragma message("no error here, only a note")\nint f%d(const std::string& a) { return a.size(); }\n' $i > f$i.cpp; done
printf '#include <string>\nint f17(const std::string& a) { return a.length; }\n' > f17.cpp
run <<'END'
cmake -G Ninja -S . -B build
ninja -C build -j2
END

new ctest ctest
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(shop C)
enable_testing()
add_executable(t t.c)
foreach(i RANGE 1 30)
  add_test(NAME case_${i} COMMAND t ${i})
endforeach()
E
cat > t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]); fprintf(stderr, "error path %d entered\n", n); if (n == 19) { fprintf(stderr, "t.c:4: expected checksum 0x1f3a, got 0x1f3b\n"); return 1; } return 0; }
E
run <<'END'
cmake -S . -B build
cmake --build build
cd build
ctest --output-on-failure
END

new meson-dependency meson
cat > meson.build <<'E'
project('shop', 'c', version: '1.0')
t = dependency('threads')
z = dependency('libnope', version: '>=2.1')
executable('shop', 'main.c', dependencies: [t, z])
E
echo 'int main(void){return 0;}' > main.c
run <<'END'
meson setup build
meson compile -C build
END

new clang-errors clang
cat > a.c <<'E'
#include <stdio.h>
static int add(int a, int b) { return a + b; }
int main(void) {
  char *s = add(1, 2);
  printf("%d\n", s)
  return undeclared_thing;
}
E
run <<'END'
clang --version
clang -Wall -Werror -fcolor-diagnostics -o a a.c
END

new autotools-configure configure
cat > configure.ac <<'E'
AC_INIT([shop], [1.0])
AC_PROG_CC
AC_CHECK_HEADERS([stdlib.h string.h unistd.h sys/socket.h netdb.h fcntl.h])
AC_CHECK_FUNCS([strdup memmove socket select gethostbyname])
AC_CHECK_LIB([m], [sqrt])
AC_CHECK_LIB([nopecrypt], [nope_init], [], [AC_MSG_ERROR([libnopecrypt 2.0 or newer is required; install libnopecrypt-dev])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
E
echo 'all:' > Makefile.in
PRE='autoconf'
run <<'END'
./configure --prefix=/usr --with-errors=no
make
END
PRE=

new werror gcc
cat > a.c <<'E'
#include <stdio.h>
#include <string.h>
int copy(char *to, const char *from) { char small[8]; strncpy(small, from, 8); int n = sprintf(to, "%s", small); return n; }
int main(int argc, char **argv) { char b[4]; if (argc = 2) return copy(b, argv[1]); return 0; }
E
run <<'END'
gcc -O2 -Wall -Werror -c a.c
END

new go-test-table go
cat > go.mod <<'E'
module example.com/shop

go 1.22
E
cat > price.go <<'E'
package shop

import "strconv"

func Cents(s string) (int, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, err
	}
	return int(f * 100), nil
}
E
cat > price_test.go <<'E'
package shop

import "testing"

func TestCents(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
		err  bool
	}{{"1", 100, false}, {"error", 0, true}, {"failed", 0, true}, {"19.99", 1999, false}, {"1.15", 115, false}} {
		t.Run(c.in, func(t *testing.T) {
			got, err := Cents(c.in)
			if (err != nil) != c.err {
				t.Fatalf("error = %v, want error %v", err, c.err)
			}
			if got != c.want {
				t.Errorf("Cents(%q) = %d, want %d", c.in, got, c.want)
			}
		})
	}
}
E
run <<'END'
go version
go vet ./...
go test ./...
END

new go-test-verbose-parallel go
cat > go.mod <<'E'
module example.com/worker

go 1.22
E
for p in queue mail store; do mkdir $p; cat > $p/${p}_test.go <<E
package $p

import (
	"fmt"
	"log"
	"testing"
)

func TestJobs(t *testing.T) {
	for i := 0; i < 120; i++ {
		t.Run(fmt.Sprintf("job-%d", i), func(t *testing.T) {
			t.Parallel()
			log.Printf("ERROR $p: job %d failed: connection reset (retrying)", i)
			if "$p" == "mail" && i == 77 {
				t.Errorf("job %d: got 3 deliveries, want exactly 1", i)
			}
			t.Logf("job %d finished", i)
		})
	}
}
E
done
run <<'END'
go test -v ./...
END

new go-panic go
cat > go.mod <<'E'
module example.com/api

go 1.22
E
cat > api_test.go <<'E'
package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

type user struct{ Name *string }

func handle(w http.ResponseWriter, r *http.Request) {
	var u user
	_ = json.NewDecoder(r.Body).Decode(&u)
	w.Write([]byte("hello " + *u.Name))
}

func TestOK(t *testing.T)       {}
func TestNotFound(t *testing.T) { t.Log("error 404 is expected") }
func TestHello(t *testing.T) {
	w := httptest.NewRecorder()
	handle(w, httptest.NewRequest("POST", "/", http.NoBody))
}
E
run <<'END'
go test -v ./...
END

new go-build go
cat > go.mod <<'E'
module example.com/cmd

go 1.22
E
cat > main.go <<'E'
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	n := count(os.Args)
	fmt.Println("n", n)
	var s string = n
	return s
}

func count(a []string) int { return len(a) }
E
run <<'END'
go env GOVERSION
go build -v ./...
END

new go-missing-module go
cat > go.mod <<'E'
module example.com/cmd

go 1.22
E
printf 'package main\n\nimport "github.com/google/uuid"\n\nfunc main() { println(uuid.NewString()) }\n' > main.go
run <<'END'
go mod verify
go build -o app .
END

new go-race go
cat > go.mod <<'E'
module example.com/race

go 1.22
E
cat > c_test.go <<'E'
package race

import (
	"sync"
	"testing"
)

func TestCounter(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	for i := 0; i < 50; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); n++ }()
	}
	wg.Wait()
	t.Log("errors: 0", n > 0)
}
E
run <<'END'
CGO_ENABLED=1 go test -race ./...
END

new go-timeout go
cat > go.mod <<'E'
module example.com/slow

go 1.22
E
cat > s_test.go <<'E'
package slow

import "testing"

func TestFast(t *testing.T) {}
func TestDrain(t *testing.T) {
	done := make(chan struct{})
	for i := 0; i < 30; i++ {
		go func() { <-done }()
	}
	<-done
}
E
run <<'END'
go test -timeout 3s ./...
END

new go-vet go
cat > go.mod <<'E'
module example.com/vet

go 1.22
E
printf 'package vet\n\nimport "fmt"\n\nfunc Say(n int) {\n\tfmt.Printf("failed %%s times\\n", n)\n}\n' > v.go
run <<'END'
gofmt -l .
go vet ./...
END

new gofmt-unformatted gofmt
cat > go.mod <<'E'
module example.com/fmt

go 1.22
E
printf 'package f\nfunc A( ) int {return 1}\n' > a.go
run <<'END'
go build ./...
gofmt -l . > /tmp/unformatted
cat /tmp/unformatted && test ! -s /tmp/unformatted
END
