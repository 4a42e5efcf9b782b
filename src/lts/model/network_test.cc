#include "lts/model/network.h"

#include <gtest/gtest.h>

namespace mazurka::lts {
namespace {

Result<std::string> file(const std::string& path) {
  if (path == "dir/a.aut") return std::string("des (0,1,2)\n(0,a,1)\n");
  if (path == "dir/bad.aut") return std::string("des (0,1,2)\n(0,a,7)\n");
  return Error{"cannot read " + path + ": there is no such file"};
}

std::string error(std::string_view text) {
  const Result<Network> net = read_net(text, "dir/test.net", file);
  return net ? "no error" : net.error().message;
}

TEST(Network, ReadsProcessesAlphabetsAndHiddenActionsInAnyOrder) {
  const Result<Network> net = read_net(
      "# a comment\nhide a\nalphabet second \"b c\"\nprocess first = \"a.aut\"  # and another\n"
      "process second = a.aut\n",
      "dir/test.net", file);
  ASSERT_TRUE(net) << net.error().message;
  EXPECT_EQ(net->processes.size(), 2u);
  EXPECT_EQ(net->processes[0].alphabet.size(), 1u);
  EXPECT_EQ(net->processes[1].alphabet.size(), 2u);
  EXPECT_TRUE(net->has(*net->actions.find("b c")));
  EXPECT_TRUE(net->hides(*net->actions.find("a")));
}

TEST(Network, NamesFileAndLineOfWhatIsWrong) {
  const std::string p = "process p = \"a.aut\"\n";
  EXPECT_EQ(error(""), "dir/test.net:1: there is no process");
  EXPECT_EQ(error("\nproces p"), "dir/test.net:2: 'proces' is not one of process, alphabet, hide");
  EXPECT_EQ(error("process p \"a.aut\""),
            "dir/test.net:1: a process should look like 'process NAME = \"FILE.aut\"'");
  EXPECT_EQ(error(p + p), "dir/test.net:2: there is a process 'p' already");
  EXPECT_EQ(error("process p = \"no.aut\""),
            "dir/test.net:1: cannot read dir/no.aut: there is no such file");
  EXPECT_EQ(error("process p = \"bad.aut\""),
            "dir/bad.aut:2: there is no state 7: the header says 2 states, from 0");
  EXPECT_EQ(error(p + "alphabet"), "dir/test.net:2: an alphabet needs the name of a process");
  EXPECT_EQ(error(p + "alphabet q a"), "dir/test.net:2: there is no process 'q'");
  EXPECT_EQ(error(p + "alphabet p tau"),
            "dir/test.net:2: 'tau' is the internal action, which nobody shares");
  EXPECT_EQ(error(p + "hide b"),
            "dir/test.net:2: no process has the action 'b' that is hidden here");
  EXPECT_EQ(error("process p = \"a.aut"), "dir/test.net:1: a double quote is not closed");
}

}  // namespace
}  // namespace mazurka::lts
