import com.cloudhopper.smpp.*;
import com.cloudhopper.smpp.impl.DefaultSmppServer;
import com.cloudhopper.smpp.impl.DefaultSmppSessionHandler;
import com.cloudhopper.smpp.pdu.*;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A server of Cloudhopper that takes every submit and keeps nothing: for the bench. */
public final class CloudhopperSink {
    private static final AtomicLong ids = new AtomicLong();

    public static void main(String[] args) throws Exception {
        SmppServerConfiguration configuration = new SmppServerConfiguration();
        configuration.setPort(Integer.parseInt(args[0]));
        configuration.setSystemId("sink");
        configuration.setMaxConnectionSize(100);
        configuration.setDefaultWindowSize(1_000);
        new DefaultSmppServer(configuration, new Binds(), Executors.newCachedThreadPool()).start();
        Told.line("listening");
    }

    private static final class Binds implements SmppServerHandler {
        @Override
        public void sessionBindRequested(Long id, SmppSessionConfiguration session, BaseBind bind) {}

        @Override
        public void sessionCreated(Long id, SmppServerSession session, BaseBindResp answer) {
            session.serverReady(new DefaultSmppSessionHandler() {
                @Override
                public PduResponse firePduRequestReceived(PduRequest request) {
                    PduResponse response = request.createResponse();
                    if (response instanceof SubmitSmResp submitted) submitted.setMessageId(Long.toString(ids.incrementAndGet()));
                    return response;
                }
            });
        }

        @Override
        public void sessionDestroyed(Long id, SmppServerSession session) { session.destroy(); }
    }
}
